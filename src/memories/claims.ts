/**
 * Claims of memories, for others to read. Part of the memories' rules: inference holds new facts
 * against them, the derived views are made of nothing else.
 */

import sql, { empty, join, type Sql } from "sql-template-tag";
import type { Scope } from "../contract/fields.ts";
import { inScope } from "../contract/scope_condition.ts";
import { nextRowBatch, type RowBatch } from "../store/row_batches.ts";
import type { Reader, Tx } from "../store/store.ts";
import { type MemoryClaim, writeClaims } from "./claim_rows.ts";
import type { MemoryType } from "./schema.ts";

export type { MemoryClaim };

/** A claim with the memory that makes it. */
export interface StoredClaim extends MemoryClaim {
  readonly memory_id: string;
}

/** The claims of memories, in the order of each. */
export function claimsOfMemories(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<StoredClaim[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<StoredClaim>(sql`select memory_id, subject, subject_key, attribute, value, op
    from memory_claims where project = ${project}
      and memory_id in (select value from json_each(${JSON.stringify(ids)}))
    order by memory_id, position`);
}

/** One of the times that what a memory says was told. */
export interface Observation {
  readonly memory_id: string;
  /** The number of the task that was accepted for it; null when it was written at once. */
  readonly task: number | null;
  /** The date that it came with; null when it had none. */
  readonly event_date: string | null;
  readonly accepted_at: string;
}

/**
 * The ids of the memories that inferred adds have told that were accepted after one, by its number. A
 * cross join, since those are few, and the tellings many.
 */
export async function observedAfter(
  db: Reader,
  project: number,
  task: number,
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ memory_id: string }>(sql`select told.memory_id
    from tasks t
    cross join memory_tellings told on told.project = t.project and told.operation_id = t.id
    where t.project = ${project} and t.kind = 'memory_infer' and t.seq > ${task}`);
  return new Set(rows.map(({ memory_id }) => memory_id));
}

/** When memories were told, by inferred adds and by hand. */
export function observationsOf(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<Observation[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const named = sql`in (select value from json_each(${JSON.stringify(ids)}))`;
  return db.all<Observation>(sql`select told.memory_id, t.seq as task, told.event_date,
      t.created_at as accepted_at
    from memory_tellings told
    join tasks t on t.project = told.project and t.id = told.operation_id
    where told.project = ${project} and told.memory_id ${named}
    union all
    select h.memory_id, null, case when h.event = 'ADD' then m.event_date end, h.created_at
    from memory_history h join memories m on m.project = h.project and m.id = h.memory_id
    where h.project = ${project} and h.memory_id ${named} and h.event in ('ADD', 'UPDATE')
      and h.new_memory is not h.old_memory and h.source ->> 'kind' <> 'inference'`);
}

/** What inference has claimed for memories, by their ids. */
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

/** Claims about a slot up to which they are all looked at; others are looked for in the scope. */
const MAX_SLOT_CLAIMS = 2_000;

/**
 * The ids of the memories that claim anything about these slots: all that a scope has, and perhaps
 * others'. Where every user lives somewhere, the scope's memories are fewer than the slot's.
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

/** A claim with what its memory adds to it. */
export interface ClaimWithMemory extends StoredClaim {
  readonly memory: string;
  readonly memory_type: MemoryType;
  readonly importance: number;
  readonly run_id: string | null;
  /** The inference task that made the memory, or touched it last; null for verbatim ones. */
  readonly operation_id: string | null;
  readonly created_at: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  /** The memory that invalidated this one, and the end that this one had before; null when none did. */
  readonly ended_by: string | null;
  readonly valid_to_before: string | null;
}

/**
 * The claims of a scope's memories, in the order of writing: all, or those about one slot. A cross
 * join, since SQLite would else begin with every claim of the project (0.2 s among 100,000). Within
 * the subquery `valid_to` is looked at first: histories of what hasn't ended are not read.
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
    order by m.seq, c.position`);
}

/** A memory that claims nothing, as a profile shows it. */
export interface UnclaimedMemory {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: MemoryType;
}

/** Memories of a scope that hold at an instant and claim nothing: the most important first. */
export function unclaimedInScope(
  db: Reader,
  project: number,
  scope: Scope,
  at: string,
  count: number,
): Promise<UnclaimedMemory[]> {
  return db.all<UnclaimedMemory>(sql`select id, memory, memory_type from memories
    where project = ${project} ${inScope(scope)} and (valid_to is null or valid_to > ${at})
      and not exists (select 1 from memory_claims c
        where c.project = memories.project and c.memory_id = memories.id)
    order by importance desc, seq desc limit ${count}`);
}

/** A memory whose claims have to be read out of its text. */
export interface PendingText {
  readonly seq: number;
  readonly id: string;
  readonly memory: string;
  readonly updated_at: string;
  /** When it was told. */
  readonly date: string;
}

const PENDING_COLUMNS = sql`seq, id, memory, updated_at, coalesce(event_date, created_at) as date`;

/** What inference has claimed for a memory stands; any other text is read. */
const NOT_INFERRED: Sql = sql`and not exists (select 1 from memory_claims c
  where c.project = memories.project and c.memory_id = memories.id and c.origin = 'inference')`;

/** Texts to be read, in the order of writing, of rows after a number up to another. */
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

/** The number of the last memory of all projects; 0 when there is none. */
export async function lastMemorySeq(db: Reader): Promise<number> {
  const last = await db.first<{ seq: number | null }>(sql`select max(seq) as seq from memories`);
  return last?.seq ?? 0;
}

/** Memories that are looked through for a text to be read, where the answer must not take long. */
const MAX_CHECKED_MEMORIES = 50;

/** Whether a project has few memories, and none of them has to be read. */
export async function hasNoPendingClaims(db: Reader, project: number): Promise<boolean> {
  const row = await db.first<{ all_of_them: number; unread: number }>(sql`
    select count(*) as all_of_them, count(*) filter (where not exists (
      select 1 from memory_claims c
      where c.project = few.project and c.memory_id = few.id and c.origin = 'inference')) as unread
    from (select project, id from memories where project = ${project} limit ${
    MAX_CHECKED_MEMORIES + 1
  }) few`);
  return row!.all_of_them <= MAX_CHECKED_MEMORIES && row!.unread === 0;
}

/** Those of these memories that are there and have to be read. */
export function pendingTextsOf(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<PendingText[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<PendingText>(sql`select ${PENDING_COLUMNS} from memories
    where project = ${project} and id in (${join([...ids])}) ${NOT_INFERRED} order by seq`);
}

/** Keeps what was read out of a text, unless the memory has changed or gone meanwhile. */
export async function writeTextClaims(
  tx: Tx,
  project: number,
  { id, updated_at }: PendingText,
  claims: readonly MemoryClaim[],
): Promise<void> {
  const same = await tx.first(sql`select 1 from memories where project = ${project}
    and id = ${id} and updated_at = ${updated_at} ${NOT_INFERRED}`);
  if (same !== undefined) await writeClaims(tx, project, id, "text", claims);
}
