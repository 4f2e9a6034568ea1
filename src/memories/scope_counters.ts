/**
 * Counts the memories in each scope and tracks their first and last timestamps. Every change to a
 * memory updates the counters in the same unit of work.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Scope } from "../contract/fields.ts";
import { inScope } from "../contract/scope_condition.ts";
import { recordRows } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { MemoryRow } from "./row.ts";

/** The API's scope types and their columns. */
export const SCOPE_TYPES = { user: "user_id", agent: "agent_id", run: "run_id" } as const;

/** An API scope type. */
export type ScopeType = keyof typeof SCOPE_TYPES;

/** A `scope_totals` row. */
export interface ScopeTotal {
  readonly type: ScopeType;
  readonly id: string;
  readonly total_memories: number;
  readonly created_at: string;
  readonly updated_at: string;
}

type Owned = Pick<MemoryRow, "user_id" | "agent_id" | "run_id">;

/** Returns the scopes that own a memory, or that a request names. The project comes first. */
function ownersOf(row: Owned | Scope): [type: ScopeType | "project", id: string][] {
  const scopes = Object.entries(SCOPE_TYPES) as [ScopeType, keyof Owned][];
  return [
    ["project", ""],
    ...scopes.flatMap(([type, column]): [ScopeType, string][] => {
      const id = row[column] ?? null;
      return id === null ? [] : [[type, id]];
    }),
  ];
}

type Added = Owned & Pick<MemoryRow, "created_at" | "updated_at">;

/** Counts memories that were added together and share the owners and timestamps of `row`. */
export function countAdded(tx: Tx, project: number, row: Added, added: number): void {
  // For a few rows, SQLite takes twice as long to read them from JSON.
  for (const { type, id, total_memories, created_at, updated_at } of totalsOf(row, added)) {
    tx.post(sql`insert into scope_totals
      (project, type, id, total_memories, created_at, updated_at)
      values (${project}, ${type}, ${id}, ${total_memories}, ${created_at}, ${updated_at})
      ${ADD_TO_TOTALS}`);
  }
}

/** Counts added memories with arbitrary owners and timestamps. */
export function countAddedRows(tx: Tx, project: number, rows: readonly Added[]): void {
  const totals = rows.flatMap((row) => totalsOf(row, 1));
  if (totals.length === 0) return;
  tx.post(sql`insert into scope_totals
    (project, type, id, total_memories, created_at, updated_at)
    select ${project}, value ->> 'type', value ->> 'id',
      cast(sum(cast(value ->> 'total_memories' as bigint)) as bigint),
      min(value ->> 'created_at'), max(value ->> 'updated_at')
    from ${recordRows(totals)} group by value ->> 'type', value ->> 'id' ${ADD_TO_TOTALS}`);
}

type AddedTotal = Omit<ScopeTotal, "type"> & { readonly type: ScopeType | "project" };

function totalsOf(row: Added, total_memories: number): AddedTotal[] {
  const { created_at, updated_at } = row;
  return ownersOf(row).map(([type, id]) => ({ type, id, total_memories, created_at, updated_at }));
}

const ADD_TO_TOTALS = sql`on conflict (project, type, id) do update set
  total_memories = scope_totals.total_memories + excluded.total_memories,
  created_at = min(scope_totals.created_at, excluded.created_at),
  updated_at = max(scope_totals.updated_at, excluded.updated_at)`;

/** Updates the last timestamp of the scopes that own a changed memory. */
export function recordUpdate(
  tx: Tx,
  project: number,
  row: Owned & Pick<MemoryRow, "updated_at">,
): void {
  for (const [type, id] of ownersOf(row)) {
    tx.post(sql`update scope_totals set updated_at = max(updated_at, ${row.updated_at})
      where project = ${project} and type = ${type} and id = ${id}`);
  }
}

/** Counts deleted memories. Call this after deleting their rows. */
export async function countRemoved(
  tx: Tx,
  project: number,
  rows: readonly MemoryRow[],
): Promise<void> {
  const removed = new Map<string, { type: ScopeType | "project"; id: string; rows: MemoryRow[] }>();
  for (const row of rows) {
    for (const [type, id] of ownersOf(row)) {
      const key = `${type} ${id}`;
      const owner = removed.get(key) ?? { type, id, rows: [] };
      owner.rows.push(row);
      removed.set(key, owner);
    }
  }
  // All owners at once: a user's memories can be of 25,000 runs, and a database server takes a round
  // trip for each that is awaited.
  await Promise.all([...removed.values()].map(async ({ type, id, rows }) => {
    tx.post(sql`update scope_totals set total_memories = total_memories - ${rows.length}
      where project = ${project} and type = ${type} and id = ${id}`);
    if (type !== "project") await refreshTimes(tx, project, type, id, rows);
  }));
}

/**
 * Deletes a scope's counter if there are no memories left. Otherwise, rereads the first and last
 * timestamps if a deleted memory had one of them. Each is at the end of an index, so this takes the
 * same time for a scope of any size.
 *
 * The index of changes only has memories whose two times differ. The last of the others is the last
 * one added.
 */
async function refreshTimes(
  tx: Tx,
  project: number,
  type: ScopeType,
  id: string,
  rows: readonly MemoryRow[],
): Promise<void> {
  const total = await findTotal(tx, project, type, id);
  if (total === undefined) return;
  if (total.total_memories <= 0) {
    tx.post(sql`delete from scope_totals
      where project = ${project} and type = ${type} and id = ${id}`);
    return;
  }
  const isStale = rows.some((row) =>
    row.created_at <= total.created_at || row.updated_at >= total.updated_at
  );
  if (!isStale) return;
  const inScope = sql`project = ${project} and ${raw(SCOPE_TYPES[type])} = ${id}`;
  tx.post(sql`update scope_totals set
      created_at = (select min(created_at) from memories where ${inScope}),
      updated_at = (select max(at) from (
        select max(created_at) as at from memories where ${inScope} and updated_at >= created_at
        union all
        select max(updated_at) from memories where ${inScope} and updated_at <> created_at) as times)
    where project = ${project} and type = ${type} and id = ${id}`);
}

/** Returns a scope's counters, or undefined if it has no memories. */
export function findTotal(
  db: Reader,
  project: number,
  type: ScopeType,
  id: string,
): Promise<ScopeTotal | undefined> {
  return db.first<ScopeTotal>(sql`select type, id, total_memories, created_at, updated_at
    from scope_totals where project = ${project} and type = ${type} and id = ${id}`);
}

/** Which of a scope's indexes to read, and how many memories it has. */
interface SmallestScope {
  readonly condition: Sql;
  readonly size: number;
}

/**
 * Returns the condition for a scope's memories that makes SQLite use the index of the user, agent or
 * run with the fewest memories. SQLite doesn't know these numbers and prefers an agent, which often
 * has the memories of all users.
 */
export async function smallestScope(
  db: Reader,
  project: number,
  scope: Scope,
): Promise<SmallestScope> {
  const owners = ownersOf(scope).slice(1) as [ScopeType, string][];
  if (owners.length === 0) return { condition: inScope(scope), size: Infinity };
  const names = join(owners.map(([type, id]) => sql`(${type}, ${id})`));
  const totals = await db.all<Pick<ScopeTotal, "type" | "total_memories">>(sql`
    select type, total_memories from scope_totals
    where project = ${project} and (type, id) in (values ${names})`);
  const sizes = owners.map(([type]) => ({
    column: SCOPE_TYPES[type],
    size: totals.find((total) => total.type === type)?.total_memories ?? 0,
  }));
  const { column, size } = sizes.sort((a, b) => a.size - b.size)[0]!;
  return { condition: inScope(scope, [column]), size };
}

/** Like {@linkcode smallestScope}, but only returns the condition, and reads nothing without need. */
export async function inSmallestScope(db: Reader, project: number, scope: Scope): Promise<Sql> {
  return ownersOf(scope).length <= 2
    ? inScope(scope)
    : (await smallestScope(db, project, scope)).condition;
}
