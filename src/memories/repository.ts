/** SQL for the `memories` table. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { inScope } from "../contract/scope_condition.ts";
import { integers, rowNumber, texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { MemoryRow } from "./row.ts";
import { inSmallestScope } from "./scope_counters.ts";
import { scopePages } from "./scope_pages.ts";

/** The columns of a `MemoryRow`. */
export const COLUMNS = sql`seq, id, user_id, agent_id, run_id, memory_type, importance, created_at,
  updated_at, event_date, valid_from, valid_to, memory, metadata`;

/** A row to insert: API fields plus internal columns. */
export interface NewMemory extends Omit<MemoryRow, "seq"> {
  readonly terms: Uint8Array;
  readonly thread: number | null;
  readonly position: number | null;
}

/**
 * Returns the statement that inserts a row.
 *
 * @param seq sequence number to use. Defaults to the next one
 */
export function memoryInsertion(project: number, row: NewMemory, seq: number | null = null): Sql {
  return sql`insert into memories
    (seq, project, id, user_id, agent_id, run_id, memory_type, importance, created_at, updated_at,
     event_date, valid_from, valid_to, thread, position, terms, memory, metadata)
    values (${
    rowNumber(seq)
  }, ${project}, ${row.id}, ${row.user_id}, ${row.agent_id}, ${row.run_id},
     ${row.memory_type}, ${row.importance}, ${row.created_at}, ${row.updated_at},
     ${row.event_date}, ${row.valid_from}, ${row.valid_to}, ${row.thread}, ${row.position},
     ${row.terms}, ${row.memory}, ${row.metadata})`;
}

/** Returns the first free position in a thread. */
export async function nextPosition(tx: Tx, project: number, thread: number): Promise<number> {
  const last = await tx.first<{ position: number | null }>(sql`select max(position) as position
    from memories where project = ${project} and thread = ${thread}`);
  return (last?.position ?? -1) + 1;
}

/** The fields that a change can set, plus `seq` to find the row. */
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

/** Writes the fields that a change can set, along with the terms in the text. */
export function updateMemoryRow(
  tx: Tx,
  project: number,
  row: ChangedMemory,
  terms: Uint8Array,
): void {
  tx.post(sql`update memories set memory = ${row.memory}, memory_type = ${row.memory_type},
    importance = ${row.importance}, metadata = ${row.metadata}, event_date = ${row.event_date},
    valid_from = ${row.valid_from}, valid_to = ${row.valid_to}, terms = ${terms},
    updated_at = ${row.updated_at}
    where project = ${project} and seq = ${row.seq}`);
}

/** Tables whose rows belong to a memory and are deleted along with it. */
const DEPENDENT_TABLES = [
  "memory_feedback",
  "memory_access",
  "memory_claims",
  "memory_sources",
  "memory_tellings",
];

/**
 * Deletes rows and everything that belongs to them, with one statement per table. Row by row, 25,000
 * memories would take half a second per table.
 */
export function deleteMemoryRows(tx: Tx, project: number, rows: readonly MemoryRow[]): void {
  if (rows.length === 0) return;
  // Most deletions are of one memory, for which a list would take three times as long.
  const [isSeq, isId] = rows.length === 1 ? [sql`= ${rows[0]!.seq}`, sql`= ${rows[0]!.id}`] : [
    sql`in ${integers(rows.map(({ seq }) => seq))}`,
    sql`in ${texts(rows.map(({ id }) => id))}`,
  ];
  // The unary plus keeps SQLite from using the index on `project` and scanning the whole project.
  // It looks up the sequence numbers instead.
  tx.post(sql`delete from memories where +project = ${project} and seq ${isSeq}`);
  for (const table of DEPENDENT_TABLES) {
    tx.post(sql`delete from ${raw(table)} where project = ${project} and memory_id ${isId}`);
  }
  tx.post(sql`delete from unread_texts where project = ${project} and record_id ${isId}`);
}

/** Returns a memory, or undefined if the project has no such memory. */
export function findMemory(
  db: Reader,
  project: number,
  id: string,
): Promise<MemoryRow | undefined> {
  return db.first<MemoryRow>(
    sql`select ${COLUMNS} from memories where project = ${project} and id = ${id}`,
  );
}

/** Returns the given memories that exist, in any order. */
export function findMemories(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<MemoryRow[]> {
  return db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} and id in ${texts(ids)}`);
}

/** The order of lists. Imported memories have lower times than those before them. */
const NEWEST_FIRST = raw("order by created_at desc, id desc");

/** Returns a scope's memories, newest first. */
export async function listMemories(
  db: Reader,
  project: number,
  scope: Scope,
  before: readonly [createdAt: string, id: string] | null,
  count: number,
): Promise<MemoryRow[]> {
  const older = before === null ? empty : sql`and (created_at, id) < (${before[0]}, ${before[1]})`;
  return await db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} ${await inSmallestScope(db, project, scope)} ${older}
    ${NEWEST_FIRST} limit ${count}`);
}

/** Returns the number of memories in a scope. */
export async function countInScope(db: Reader, project: number, scope: Scope): Promise<number> {
  const row = await db.first<{ n: number }>(sql`select count(*) as n from memories
    where project = ${project} ${await inSmallestScope(db, project, scope)}`);
  return row!.n;
}

/**
 * Returns memories with exactly this scope that are active at a given instant, newest first.
 *
 * @param selection ids to restrict the result to, or the maximum number of memories
 */
export async function activeMemories(
  db: Reader,
  project: number,
  scope: Scope,
  at: string,
  selection: number | ReadonlySet<string>,
): Promise<MemoryRow[]> {
  if (typeof selection !== "number" && selection.size === 0) return [];
  const [hasOwners, isSelected, limit] = typeof selection === "number"
    ? [await inSmallestScope(db, project, scope), empty, sql`limit ${selection}`]
    : [inScope(scope, []), sql`and id in ${texts(selection)}`, empty];
  return await db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} ${hasOwners} ${withoutOthers(scope)}
      and (valid_to is null or valid_to > ${at}) ${isSelected} ${NEWEST_FIRST} ${limit}`);
}

/** Returns the condition that rows of a scope have no other owners. */
function withoutOthers(scope: Scope): Sql {
  const others = SCOPE_KEYS.filter((key) => scope[key] === undefined);
  return others.length === 0 ? empty : join(others.map((key) => sql`and ${raw(key)} is null`), " ");
}

/** Returns all rows in a scope, oldest first. */
export async function memoriesInScope(
  db: Reader,
  project: number,
  scope: Scope,
): Promise<MemoryRow[]> {
  return await db.all<MemoryRow>(sql`select ${COLUMNS} from memories
    where project = ${project} ${await inSmallestScope(db, project, scope)}
    order by created_at, id`);
}

/** Returns the scope of a memory's owners. */
export function ownScope({ user_id, agent_id, run_id }: MemoryRow): Scope {
  return {
    user_id: user_id ?? undefined,
    agent_id: agent_id ?? undefined,
    run_id: run_id ?? undefined,
  };
}

/**
 * Returns the ids of all memories that a memory superseded, directly or through others. A memory
 * supersedes only memories with exactly its own scopes, so this reads those that have ended, and
 * yields to the event loop after each page of the scope.
 */
export async function supersededBy(
  db: Reader,
  project: number,
  memory: MemoryRow,
): Promise<string[]> {
  const scope = ownScope(memory);
  const bySuccessor = new Map<string, string[]>();
  for await (const page of scopePages(db, project, scope)) {
    const ended = await db.all<{ id: string; successor: string | null }>(sql`
      select m.id, (select h.changes -> 'superseded_by' ->> 'to' from memory_history h
        where h.project = m.project and h.memory_id = m.id and h.event = 'INVALIDATE'
        order by h.seq desc limit 1) as successor
      from memories m where ${page} ${withoutOthers(scope)} and m.valid_to is not null`);
    for (const { id, successor } of ended) {
      if (successor === null) continue;
      const superseded = bySuccessor.get(successor);
      if (superseded === undefined) bySuccessor.set(successor, [id]);
      else superseded.push(id);
    }
  }
  const found = new Set([memory.id]);
  for (const id of found) for (const ended of bySuccessor.get(id) ?? []) found.add(ended);
  found.delete(memory.id);
  return [...found];
}

/** Deletes up to `count` rows from a project and returns them. */
export function removeMemories(tx: Tx, project: number, count: number): Promise<MemoryRow[]> {
  return tx.all<MemoryRow>(sql`delete from memories where seq in
      (select seq from memories where project = ${project} limit ${count})
    returning ${COLUMNS}`);
}
