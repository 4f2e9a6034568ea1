/** The texts of memories whose claims have yet to be extracted, and the results of extraction. */

import sql, { type Sql } from "sql-template-tag";
import { nextRowBatch, type RowBatch } from "../../store/row_batches.ts";
import { texts } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { type MemoryClaim, writeClaims } from "./claim_rows.ts";
import type { UnreadCode } from "../schema.ts";
import { forgetUnread, setAside } from "./unread_texts.ts";

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
    where project = ${project} and id in ${texts(ids)} ${NOT_INFERRED}
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
  if (isRead) return await forgetUnread(tx, project, id);
  await setAside(tx, project, { record_id: id, position: 0, reader, code: reading.unread, at });
}
