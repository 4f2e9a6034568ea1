/**
 * Reads memory claims for other modules. Inference compares new facts with them, and derived views
 * are built entirely from them.
 */

import sql, { empty, join, type Sql } from "sql-template-tag";
import type { Scope } from "../contract/fields.ts";
import { inScope } from "../contract/scope_condition.ts";
import { nextRowBatch, type RowBatch } from "../store/row_batches.ts";
import { texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { type MemoryClaim, writeClaims } from "./claim_rows.ts";
import type { MemoryType, UnreadCode } from "./schema.ts";
import { forgetUnread, setAside } from "./unread_texts.ts";

export type { MemoryClaim };

/** A claim with its memory's id. */
export interface StoredClaim extends MemoryClaim {
  readonly memory_id: string;
}

/** Returns the given memories' claims, in order within each memory. */
export function claimsOfMemories(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<StoredClaim[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<StoredClaim>(sql`select memory_id, subject, subject_key, attribute, value, op
    from memory_claims where project = ${project}
      and memory_id in ${texts(ids)}
    order by memory_id, position`);
}

/** One occasion on which a memory's content was stated. A repeated memory has several. */
export interface Observation {
  readonly memory_id: string;
  /** Sequence number of the inference task, or null for a direct write. */
  readonly task: number | null;
  /** The request's date, or null if it had none. */
  readonly event_date: string | null;
  readonly accepted_at: string;
}

/**
 * Returns which of the given memories were stated by inferred adds accepted after a task.
 *
 * @param task the task's sequence number
 */
export async function observedAfter(
  db: Reader,
  project: number,
  ids: readonly string[],
  task: number,
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ memory_id: string }>(sql`select o.memory_id
    from memory_tellings o
    cross join tasks t on t.project = o.project and t.id = o.operation_id
    where o.project = ${project} and o.memory_id in ${texts(ids)}
      and t.kind = 'memory_infer' and t.seq > ${task}`);
  return new Set(rows.map(({ memory_id }) => memory_id));
}

/**
 * Returns all observations of the given memories, from inferred adds, verbatim adds and text
 * updates.
 */
export function observationsOf(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<Observation[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const isRequested = sql`in ${texts(ids)}`;
  return db.all<Observation>(sql`select o.memory_id, t.seq as task, o.event_date,
      t.created_at as accepted_at
    from memory_tellings o
    join tasks t on t.project = o.project and t.id = o.operation_id
    where o.project = ${project} and o.memory_id ${isRequested}
    union all
    select h.memory_id, null, case when h.event = 'ADD' then m.event_date end, h.created_at
    from memory_history h join memories m on m.project = h.project and m.id = h.memory_id
    where h.project = ${project} and h.memory_id ${isRequested} and h.event in ('ADD', 'UPDATE')
      and h.new_memory is distinct from h.old_memory and h.source ->> 'kind' <> 'inference'`);
}

/** Returns the claims found by inference, keyed by memory id. */
export async function inferredClaims(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly MemoryClaim[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<StoredClaim>(
    sql`select memory_id, subject, subject_key, attribute, value,
      op
    from memory_claims
    where project = ${project} and memory_id in (${join([...ids])}) and origin = 'inference'
    order by memory_id, position`,
  );
  const claims = new Map<string, MemoryClaim[]>();
  for (const { memory_id, ...claim } of rows) {
    claims.set(memory_id, [...claims.get(memory_id) ?? [], claim]);
  }
  return claims;
}

/**
 * Maximum number of claims to read about a single slot. Beyond that, we search the scope's memories
 * instead.
 */
const MAX_SLOT_CLAIMS = 2_000;

/**
 * Returns the ids of memories with claims about the given slots. Includes all such memories in the
 * scope, and possibly some from other scopes. For a slot every user has (e.g. `lives_in`), the
 * scope has fewer memories than the slot has claims.
 */
export async function memoriesOfSlots(
  db: Reader,
  project: number,
  scope: Scope,
  slots: readonly Pick<MemoryClaim, "subject_key" | "attribute">[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { subject_key, attribute } of slots) {
    const about = sql`c.project = ${project} and c.subject_key = ${subject_key}
      and c.attribute = ${attribute}`;
    let rows = await db.all<{ memory_id: string }>(
      sql`select c.memory_id from memory_claims c where ${about} limit ${MAX_SLOT_CLAIMS + 1}`,
    );
    if (rows.length > MAX_SLOT_CLAIMS) {
      rows = await db.all<{ memory_id: string }>(sql`select c.memory_id
        from memories m cross join memory_claims c
        where m.project = ${project} ${inScope(scope)} and c.memory_id = m.id and ${about}`);
    }
    for (const { memory_id } of rows) ids.add(memory_id);
  }
  return ids;
}

/** A claim plus the memory fields needed by views. */
export interface ClaimWithMemory extends StoredClaim {
  readonly memory: string;
  readonly memory_type: MemoryType;
  readonly importance: number;
  readonly run_id: string | null;
  /** The last inference task to add or change the memory. Null for verbatim memories. */
  readonly operation_id: string | null;
  readonly created_at: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  /** The memory that invalidated this one and the previous `valid_to`, or null. */
  readonly ended_by: string | null;
  readonly valid_to_before: string | null;
}

/**
 * Returns a scope's claims, oldest memory first: either all of them, or those about one slot.
 *
 * Uses a cross join, since SQLite would otherwise start with all claims in the project (0.2 s for
 * 100,000 claims). The subquery checks `valid_to` first, to avoid reading the history of memories
 * that haven't ended.
 */
export function claimsInScope(
  db: Reader,
  project: number,
  scope: Scope,
  slot?: Pick<MemoryClaim, "subject_key" | "attribute">,
): Promise<ClaimWithMemory[]> {
  const about = slot === undefined
    ? empty
    : sql`and c.subject_key = ${slot.subject_key} and c.attribute = ${slot.attribute}`;
  return db.all<ClaimWithMemory>(sql`select c.memory_id, c.subject, c.subject_key, c.attribute,
      c.value, c.op, m.memory, m.memory_type, m.importance, m.run_id, m.created_at, m.event_date,
      m.valid_from, m.valid_to,
      ended.changes -> 'superseded_by' ->> 'to' as ended_by,
      ended.changes -> 'valid_to' ->> 'from' as valid_to_before,
      (select max(s.operation_id) from memory_sources s
        where s.project = m.project and s.memory_id = m.id) as operation_id
    from memories m cross join memory_claims c on c.project = m.project and c.memory_id = m.id
    left join memory_history ended on ended.seq = (select max(h.seq) from memory_history h
      where m.valid_to is not null
        and h.project = m.project and h.memory_id = m.id and h.event = 'INVALIDATE')
    where m.project = ${project} ${about} ${inScope(scope)}
    order by m.created_at, m.id, c.position`);
}

/** A memory without claims, as shown in a profile. */
export interface UnclaimedMemory {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: MemoryType;
  readonly created_at: string;
  readonly event_date: string | null;
}

/** Returns a scope's active memories without claims, most important first. */
export function unclaimedInScope(
  db: Reader,
  project: number,
  scope: Scope,
  at: string,
  count: number,
): Promise<UnclaimedMemory[]> {
  return db.all<UnclaimedMemory>(sql`select id, memory, memory_type, created_at, event_date
    from memories
    where project = ${project} ${inScope(scope)} and (valid_to is null or valid_to > ${at})
      and not exists (select 1 from memory_claims c
        where c.project = memories.project and c.memory_id = memories.id)
    order by importance desc, created_at desc, id desc limit ${count}`);
}

/** A memory whose claims need to be extracted from its text. */
export interface PendingText {
  readonly seq: number;
  readonly id: string;
  readonly memory: string;
  readonly updated_at: string;
  /** Date the memory was stated. */
  readonly date: string;
}

const PENDING_COLUMNS = sql`seq, id, memory, updated_at, coalesce(event_date, created_at) as date`;

/** Excludes memories with claims from inference. Only the other texts need extraction. */
const NOT_INFERRED: Sql = sql`and not exists (select 1 from memory_claims c
  where c.project = memories.project and c.memory_id = memories.id and c.origin = 'inference')`;

/**
 * Returns texts that need extraction, in write order, with sequence numbers greater than `after`,
 * up to and including `last`.
 */
export function pendingTexts(
  db: Reader,
  project: number,
  { after, last }: { readonly after: number; readonly last: number },
  count: number,
): Promise<RowBatch<PendingText>> {
  const condition = NOT_INFERRED;
  const rows = { table: "memories", columns: PENDING_COLUMNS, project, condition } as const;
  return nextRowBatch(db, { ...rows, after: [after], last, count });
}

/** Returns the last memory's sequence number across all projects, or 0 if there are no memories. */
export async function lastMemorySeq(db: Reader): Promise<number> {
  const last = await db.first<{ seq: number | null }>(sql`select max(seq) as seq from memories`);
  return last?.seq ?? 0;
}

/** Maximum number of memories checked by `hasNoPendingClaims()`, to bound the time per request. */
const MAX_CHECKED_MEMORIES = 50;

/**
 * Checks whether all texts in a project have been extracted. Returns false for projects with more
 * than 50 memories, without checking them.
 */
export async function hasNoPendingClaims(db: Reader, project: number): Promise<boolean> {
  const row = await db.first<{ checked: number; pending: number }>(sql`
    select count(*) as checked, count(*) filter (where not exists (
      select 1 from memory_claims c
      where c.project = m.project and c.memory_id = m.id and c.origin = 'inference')) as pending
    from (select project, id from memories where project = ${project} limit ${
    MAX_CHECKED_MEMORIES + 1
  }) m`);
  return row!.checked <= MAX_CHECKED_MEMORIES && row!.pending === 0;
}

/**
 * Returns the given memories that exist and need extraction. Leaves out texts that `reader` has set
 * aside since they were changed: an attempt that reads slow texts again would never end.
 */
export function pendingTextsOf(
  db: Reader,
  project: number,
  ids: readonly string[],
  reader: string,
): Promise<PendingText[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<PendingText>(sql`select ${PENDING_COLUMNS} from memories
    where project = ${project} and id in (${join([...ids])}) ${NOT_INFERRED}
      and not exists (select 1 from unread_texts u
        where u.project = memories.project and u.record_id = memories.id
          and u.reader = ${reader} and u.updated_at > memories.updated_at)
    order by seq`);
}

/** Claims in a text, or the reason why it couldn't be read. */
export type ClaimReading =
  | { readonly claims: readonly MemoryClaim[] }
  | { readonly unread: UnreadCode };

/** Reads the claims of verbatim texts. */
export interface TextReader {
  /** Engine and version. Texts are read again when it changes. */
  readonly name: string;
  /** Yields a reading per text, in the same order, some at a time. */
  read(
    texts: readonly { readonly text: string; readonly date: string }[],
    signal: AbortSignal,
  ): AsyncIterable<readonly ClaimReading[]>;
}

/**
 * Writes the claims read in a text, unless the memory has been changed or deleted since. A text that
 * couldn't be read is set aside without claims.
 *
 * @param reader engine and version that read it
 * @param at current time
 */
export async function writeTextReading(
  tx: Tx,
  project: number,
  { id, updated_at }: PendingText,
  reading: ClaimReading,
  { reader, at }: { readonly reader: string; readonly at: string },
): Promise<void> {
  const unchanged = await tx.first(sql`select 1 from memories where project = ${project}
    and id = ${id} and updated_at = ${updated_at} ${NOT_INFERRED}`);
  if (unchanged === undefined) return;
  const isRead = "claims" in reading;
  writeClaims(tx, project, id, "text", isRead ? reading.claims : []);
  if (isRead) await forgetUnread(tx, project, id);
  else {await setAside(tx, project, {
      record_id: id,
      position: 0,
      reader,
      code: reading.unread,
      at,
    });}
}
