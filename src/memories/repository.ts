/** The SQL of memories. */

import sql, { empty, join, raw } from "sql-template-tag";
import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { inScope } from "../contract/scope_condition.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { MemoryRow } from "./row.ts";

/** The columns of a MemoryRow. */
export const COLUMNS = sql`seq, id, user_id, agent_id, run_id, memory_type, importance, created_at,
  updated_at, event_date, valid_from, valid_to, memory, metadata`;

/** What a new row has beside the fields that clients see. */
export interface NewMemory extends Omit<MemoryRow, "seq"> {
  readonly terms: Uint8Array;
  readonly thread: number | null;
  readonly position: number | null;
}

/** Writes a row, under the next number unless one is given, and answers its number. */
export function insertMemory(
  tx: Tx,
  project: number,
  row: NewMemory,
  seq: number | null = null,
): Promise<number> {
  return tx.insert(sql`insert into memories
    (seq, project, id, user_id, agent_id, run_id, memory_type, importance, created_at, updated_at,
     event_date, valid_from, valid_to, thread, position, terms, memory, metadata)
    values (${seq}, ${project}, ${row.id}, ${row.user_id}, ${row.agent_id}, ${row.run_id},
     ${row.memory_type}, ${row.importance}, ${row.created_at}, ${row.updated_at},
     ${row.event_date}, ${row.valid_from}, ${row.valid_to}, ${row.thread}, ${row.position},
     ${row.terms}, ${row.memory}, ${row.metadata})`);
}

/** The position after the last one of a thread. */
export async function nextPosition(tx: Tx, project: number, thread: number): Promise<number> {
  const last = await tx.first<{ position: number | null }>(sql`select max(position) as position
    from memories where project = ${project} and thread = ${thread}`);
  return (last?.position ?? -1) + 1;
}

/** The fields that a change may touch. */
export type ChangedMemory = Pick<
  MemoryRow,
  | "seq"
  | "memory"
  | "memory_type"
  | "importance"
  | "metadata"
  | "event_date"
  | "valid_from"
  | "valid_to"
  | "updated_at"
>;

/** Writes the fields that a change may touch, and the terms that follow from the text. */
export async function updateMemoryRow(
  tx: Tx,
  project: number,
  row: ChangedMemory,
  terms: Uint8Array,
): Promise<void> {
  await tx.run(sql`update memories set memory = ${row.memory}, memory_type = ${row.memory_type},
    importance = ${row.importance}, metadata = ${row.metadata}, event_date = ${row.event_date},
    valid_from = ${row.valid_from}, valid_to = ${row.valid_to}, terms = ${terms},
    updated_at = ${row.updated_at}
    where project = ${project} and seq = ${row.seq}`);
}

/** Rows that one statement deletes: few enough for its parameters. */
const MAX_DELETE_ROWS = 200;

/** What belongs to a memory and goes with it. */
const DEPENDENT_TABLES = [
  "memory_feedback",
  "memory_access",
  "memory_claims",
  "memory_sources",
  "memory_tellings",
];

/** Many rows by few statements: at 25,000 memories each statement a row is half a second. */
export async function deleteMemoryRows(
  tx: Tx,
  project: number,
  rows: readonly MemoryRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += MAX_DELETE_ROWS) {
    const some = rows.slice(start, start + MAX_DELETE_ROWS);
    const [seqs, ids] = [join(some.map(({ seq }) => seq)), join(some.map(({ id }) => id))];
    // The plus: SQLite takes the numbers then, and not the whole project, which an index has too.
    await tx.run(sql`delete from memories where +project = ${project} and seq in (${seqs})`);
    for (const companion of DEPENDENT_TABLES) {
      await tx.run(sql`delete from ${raw(companion)}
        where project = ${project} and memory_id in (${ids})`);
    }
  }
}

/** Undefined when the project has no such memory. */
export function findMemory(
  db: Reader,
  project: number,
  id: string,
): Promise<MemoryRow | undefined> {
  return db.first<MemoryRow>(
    sql`select ${COLUMNS} from memories where project = ${project} and id = ${id}`,
  );
}

/** Those of these memories that are there, in no order. */
export function findMemories(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<MemoryRow[]> {
  return db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} and id in (select value from json_each(${JSON.stringify(ids)}))`);
}

/** Newest first; rows are written in the order of their creation. */
export function listMemories(
  db: Reader,
  project: number,
  scope: Scope,
  before: number | null,
  count: number,
): Promise<MemoryRow[]> {
  const after = before === null ? empty : sql`and seq < ${before}`;
  return db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} ${inScope(scope)} ${after} order by seq desc limit ${count}`);
}

/** How many memories a scope has. */
export async function countInScope(db: Reader, project: number, scope: Scope): Promise<number> {
  const counted = await db.first<{ n: number }>(
    sql`select count(*) as n from memories where project = ${project} ${inScope(scope)}`,
  );
  return counted!.n;
}

/**
 * Memories of exactly this scope that hold at an instant, newest first: those that are named, or
 * up to so many.
 */
export function activeMemories(
  db: Reader,
  project: number,
  scope: Scope,
  at: string,
  selection: number | ReadonlySet<string>,
): Promise<MemoryRow[]> {
  const exactly = SCOPE_KEYS.map((key) =>
    scope[key] === undefined ? sql`${raw(key)} is null` : sql`${raw(key)} = ${scope[key]}`
  );
  if (typeof selection !== "number" && selection.size === 0) return Promise.resolve([]);
  const named = typeof selection === "number"
    ? empty
    : sql`and id in (select value from json_each(${JSON.stringify([...selection])}))`;
  const limit = typeof selection === "number" ? sql`limit ${selection}` : empty;
  return db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} and ${join(exactly, " and ")}
      and (valid_to is null or valid_to > ${at}) ${named} order by seq desc ${limit}`);
}

/** Every row of a scope, oldest first. */
export function memoriesInScope(db: Reader, project: number, scope: Scope): Promise<MemoryRow[]> {
  return db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} ${inScope(scope)} order by seq`);
}

/** Removes up to so many rows, and answers them as they were. */
export function removeMemories(tx: Tx, project: number, count: number): Promise<MemoryRow[]> {
  return tx.all<MemoryRow>(sql`delete from memories where seq in
      (select seq from memories where project = ${project} limit ${count})
    returning ${COLUMNS}`);
}
