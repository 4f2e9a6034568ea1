/** Snapshot sections for memories, their history and feedback, and the source for their links. */

import sql from "sql-template-tag";
import { z } from "zod";
import { boundedText, memoryText, metadataField, SCOPE_REQUIRED } from "../contract/fields.ts";
import {
  isOwned,
  storedId,
  storedJson,
  storedScopes,
  storedText,
  storedTimestamp,
} from "../contract/stored_fields.ts";
import type { AssociationSource } from "../contract/associations.ts";
import { snapshotSection } from "../contract/snapshot.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp, timestampAfter } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import { distinctTerms, packTermHashes } from "../search/query/terms.ts";
import { deletedDuringImport } from "../store/import_guard.ts";
import { appendJournal } from "../store/journal.ts";
import { nextRowBatch } from "../store/row_batches.ts";
import type { Tx } from "../store/store.ts";
import { writeClaims, writeSource } from "./claims/claim_rows.ts";
import { inferredClaims } from "./claims/claims.ts";
import { findInDeletedScopes } from "./deleted_scopes.ts";
import { type HistoryRow, insertHistory, jsonOrNull, showHistory } from "./history/history.ts";
import { COLUMNS, memoryInsertion } from "./repository.ts";
import { memoryEntry, type MemoryRow, showMemory } from "./row.ts";
import { feedbackBody, feedbackSchema, historyRecord, memorySchema } from "./schema.ts";
import { countAddedRows, SCOPE_TYPES } from "./scope_counters.ts";

/**
 * Maximum length of each text in a claim, in characters. Eight times the longest text produced by
 * any engine.
 */
const MAX_CLAIM_CHARACTERS = 1_000;

const claimText = boundedText(MAX_CLAIM_CHARACTERS).min(1);

const claimRecord = z.object({
  subject: claimText,
  subject_key: claimText,
  attribute: claimText,
  value: claimText,
  op: z.enum(["assert", "end"]),
});

const memoryRecord = memorySchema.extend({
  ...storedScopes,
  id: storedId,
  memory: memoryText,
  metadata: metadataField.nullable(),
  created_at: storedTimestamp,
  updated_at: storedTimestamp,
  event_date: storedTimestamp.nullable(),
  valid_from: storedTimestamp.nullable(),
  valid_to: storedTimestamp.nullable(),
  /** Thread of memories that were added together, and the position in it. */
  thread: z.int().nullable(),
  position: z.int().nullable(),
  /**
   * Claims found by inference. Those from verbatim texts aren't exported, since they're extracted
   * again.
   */
  claims: z.array(claimRecord).default([]),
}).refine(isOwned, SCOPE_REQUIRED);

type MemoryRecord = z.output<typeof memoryRecord>;
type ThreadedRow = MemoryRow & Pick<MemoryRecord, "thread" | "position">;

const historyText = boundedText(LIMITS.memoryTextBytes).nullable();

const { changes, feedback, source } = historyRecord.shape;

const snapshotHistory = historyRecord.extend({
  id: storedId,
  memory_id: storedId,
  old_memory: historyText,
  new_memory: historyText,
  changes: storedJson(changes),
  feedback: storedJson(feedback),
  source: source.extend({ operation_id: storedId.nullable() }),
  request_id: storedText.nullable(),
  created_at: storedTimestamp,
});
const snapshotFeedback = feedbackSchema.extend({
  id: storedId,
  reason: feedbackBody.shape.reason.unwrap().nullable(),
  request_id: feedbackBody.shape.request_id.unwrap().nullable(),
  created_at: storedTimestamp,
});

/** A history entry that links its memory to another record. */
interface LinkRow {
  readonly seq: number;
  readonly memory_id: string;
  readonly operation_id: string;
  readonly superseded_by: string | null;
  readonly messages: string | null;
  readonly event_date: string | null;
}

/** Returns the snapshot sections for memories. */
export function memorySections(appContext: AppContext) {
  return [memoriesSection(appContext), historySection, feedbackSection];
}

function memoriesSection(appContext: AppContext) {
  const { store, clock } = appContext;
  const index = store.index.memories;
  return snapshotSection<MemoryRecord>({
    name: "memories",
    schema: memoryRecord,
    rows: { table: "memories", kind: "memory" },
    async page(db, project, after, count) {
      const { rows, next } = await nextRowBatch<ThreadedRow>(db, {
        table: "memories",
        columns: sql`${COLUMNS}, thread, position`,
        project,
        after,
        count,
      });
      const claims = await inferredClaims(db, project, rows.map(({ id }) => id));
      const records = rows.map((row) => ({
        ...showMemory(row),
        thread: row.thread,
        position: row.position,
        claims: claims.get(row.id) ?? [],
      }));
      return { records, next };
    },
    defines: ({ id }) => [{ kind: "memory", id }],
    countsToward: ownersOf,
    async insert(tx, project, records, first) {
      const at = timestamp(clock.now());
      const deleted = await findInDeletedScopes(tx, project, records);
      for (const [offset, record] of records.entries()) {
        if (deleted.has(record.id)) {
          insertTombstone(tx, appContext, project, record);
          continue;
        }
        const { metadata, claims, ...fields } = record;
        const row = { ...fields, metadata: jsonOrNull(metadata) };
        const terms = distinctTerms(row.memory);
        const insertion = memoryInsertion(
          project,
          { ...row, terms: packTermHashes(terms) },
          first + offset,
        );
        await index.insert(tx, project, insertion, () => memoryEntry(row, terms));
        if (claims.length > 0) writeClaims(tx, project, row.id, "inference", claims);
        // Projections follow the journal, so imported memories have to show up there as new.
        appendJournal(tx, project, { kind: "memory", recordId: row.id, change: "ADD", at });
      }
      countAddedRows(tx, project, records.filter(({ id }) => !deleted.has(id)));
      return deleted.size;
    },
  });
}

/**
 * Writes the deletion of a memory skipped by the import. Its imported history follows later and
 * ends with this deletion.
 */
function insertTombstone(
  tx: Tx,
  { clock, ids }: AppContext,
  project: number,
  { id, memory, updated_at }: MemoryRecord,
): void {
  insertHistory(tx, project, {
    id: ids.next("hist"),
    memoryId: id,
    event: "DELETE",
    old: memory,
    source: { kind: "scope_delete", operation_id: null },
    requestId: null,
    at: timestampAfter(clock, updated_at),
  });
}

const historySection = snapshotSection<z.output<typeof snapshotHistory>>({
  name: "history",
  schema: snapshotHistory,
  rows: { table: "memory_history", kind: "memory", column: "memory_id" },
  async page(db, project, after, count) {
    const { rows, next } = await nextRowBatch<HistoryRow>(db, {
      table: "memory_history",
      columns: sql`seq, id, memory_id, event, old_memory, new_memory, changes, feedback, source,
        request_id, created_at`,
      project,
      after,
      count,
    });
    return { records: rows.map(showHistory), next };
  },
  uniqueValues: ({ id }) => ({ id }),
  refersTo: (record) => [{ field: "memory_id", kind: "memory", id: record.memory_id }],
  tombstoneOf: ({ event, memory_id: id }) => event === "DELETE" ? { kind: "memory", id } : null,
  async insert(tx, project, records, first) {
    for (const [offset, record] of records.entries()) {
      await tx.run(sql`insert into memory_history
        (seq, project, id, memory_id, event, old_memory, new_memory, changes, feedback, source,
         request_id, created_at)
        values (${first + offset}, ${project}, ${record.id}, ${record.memory_id}, ${record.event},
         ${record.old_memory}, ${record.new_memory}, ${jsonOrNull(record.changes)},
         ${jsonOrNull(record.feedback)}, ${JSON.stringify(record.source)}, ${record.request_id},
         ${record.created_at})`);
    }
    return 0;
  },
});

const feedbackSection = snapshotSection<z.output<typeof snapshotFeedback>>({
  name: "feedback",
  schema: snapshotFeedback,
  async page(db, project, after, count) {
    const records = await db.all<{ memory_id: string }>(sql`select id, memory_id, rating, reason,
        request_id, created_at
      from memory_feedback where project = ${project} and memory_id > ${after?.[0] ?? ""}
      order by memory_id limit ${count}`);
    const last = records.at(-1);
    return { records, next: records.length < count || !last ? null : [last.memory_id] };
  },
  uniqueValues: ({ memory_id }) => ({ memory_id }),
  refersTo: (record) => [{ field: "memory_id", kind: "memory", id: record.memory_id }],
  async insert(tx, project, records) {
    const ids = records.map(({ memory_id }) => memory_id);
    const cleared = await deletedDuringImport(tx, project, "feedback", ids);
    let written = 0;
    for (const record of records) {
      // Skip memories that were rated or deleted after the import began.
      if (cleared.has(record.memory_id)) continue;
      written += await tx.run(sql`insert into memory_feedback
        (project, memory_id, id, rating, reason, request_id, created_at)
        select ${project}, id, ${record.id}, ${record.rating}, ${record.reason},
         ${record.request_id}, ${record.created_at}
        from memories where project = ${project} and id = ${record.memory_id}
        on conflict (project, memory_id) do nothing`);
    }
    return records.length - written;
  },
});

/**
 * Memory links. The history already defines them, so they're restored with it, except for the
 * message indexes, which are inserted here.
 */
export const memoryAssociations: AssociationSource = {
  kinds: ["memory_from_inference", "memory_superseded_by"],
  async page(db, project, after, count) {
    const { rows, next } = await nextRowBatch<LinkRow>(db, {
      table: "memory_history",
      columns: sql`seq, memory_id, source ->> 'operation_id' as operation_id,
        changes -> 'superseded_by' ->> 'to' as superseded_by,
        (select messages from memory_sources s where s.project = memory_history.project
          and s.memory_id = memory_history.memory_id
          and s.operation_id = source ->> 'operation_id') as messages,
        (select event_date from memory_tellings t where t.project = memory_history.project
          and t.memory_id = memory_history.memory_id
          and t.operation_id = source ->> 'operation_id') as event_date`,
      project,
      after,
      count,
      condition: sql`and event in ('ADD', 'UPDATE', 'INVALIDATE')
        and source ->> 'kind' = 'inference'`,
    });
    return { records: rows.map(showLink), next };
  },
  refersTo: ({ kind, from_id, to_id }) => [
    { field: "from_id", kind: "memory", id: from_id },
    { field: "to_id", kind: kind === "memory_superseded_by" ? "memory" : "episode", id: to_id },
  ],
  async insert(tx, project, records) {
    for (const { from_id, to_id, messages, event_date } of records) {
      if (messages === null) continue;
      await writeSource(tx, project, from_id, to_id, messages);
      await restoreObservation(tx, project, from_id, to_id, event_date);
    }
    return 0;
  },
};

/**
 * Records the date a memory was stated, if the memory exists. Exports from earlier builds don't
 * have it, so we fall back to the memory's own `event_date`, unless it has a `valid_from`.
 */
async function restoreObservation(
  tx: Tx,
  project: number,
  memoryId: string,
  operationId: string,
  eventDate: string | null | undefined,
): Promise<void> {
  const date = eventDate === undefined
    ? sql`case when valid_from is null then event_date end`
    : sql`${eventDate}`;
  await tx.run(sql`insert into memory_tellings (project, memory_id, operation_id, event_date)
    select ${project}, id, ${operationId}, ${date} from memories
    where project = ${project} and id = ${memoryId} on conflict do nothing`);
}

/** Returns the scope entities that own a memory, named as in the entities section. */
function ownersOf(record: MemoryRecord): string[] {
  return Object.entries(SCOPE_TYPES).flatMap(([type, column]) => {
    const id = record[column];
    return id === null ? [] : [`${type} ${id}`];
  });
}

function showLink({ memory_id: from_id, operation_id, superseded_by, ...link }: LinkRow) {
  return superseded_by !== null
    ? { kind: "memory_superseded_by", from_id, to_id: superseded_by, messages: null }
    : {
      kind: "memory_from_inference",
      from_id,
      to_id: operation_id,
      messages: link.messages === null ? null : JSON.parse(link.messages),
      event_date: link.event_date,
    };
}
