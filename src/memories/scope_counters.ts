/**
 * Counts the memories in each scope and tracks their first and last timestamps. Every change to a
 * memory updates the counters in the same unit of work.
 */

import sql, { raw } from "sql-template-tag";
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

/** Returns the scopes that own a memory, including the project. */
function ownersOf(row: Owned): [type: ScopeType | "project", id: string][] {
  const scopes = Object.entries(SCOPE_TYPES) as [ScopeType, keyof Owned][];
  return [
    ["project", ""],
    ...scopes.flatMap(([type, column]): [ScopeType, string][] => {
      const id = row[column];
      return id === null ? [] : [[type, id]];
    }),
  ];
}

/** Counts memories that were added together and share the owners and timestamps of `row`. */
export async function countAdded(
  tx: Tx,
  project: number,
  row: Owned & Pick<MemoryRow, "created_at" | "updated_at">,
  added: number,
): Promise<void> {
  const { created_at, updated_at } = row;
  for (const [type, id] of ownersOf(row)) {
    // Try the update first: the scope nearly always exists, and an upsert costs more than twice as
    // much.
    const updated = await tx.run(sql`update scope_totals set
        total_memories = total_memories + ${added},
        created_at = min(created_at, ${created_at}), updated_at = max(updated_at, ${updated_at})
      where project = ${project} and type = ${type} and id = ${id}`);
    if (updated > 0) continue;
    await tx.run(sql`insert into scope_totals
      (project, type, id, total_memories, created_at, updated_at)
      values (${project}, ${type}, ${id}, ${added}, ${created_at}, ${updated_at})`);
  }
}

/** Counts added memories with arbitrary owners and timestamps. Writes one row per scope. */
export async function countAddedRows(
  tx: Tx,
  project: number,
  rows: readonly (Owned & Pick<MemoryRow, "created_at" | "updated_at">)[],
): Promise<void> {
  const totals = new Map<string, Omit<ScopeTotal, "type"> & { type: ScopeType | "project" }>();
  for (const row of rows) {
    for (const [type, id] of ownersOf(row)) {
      const total = totals.get(`${type} ${id}`);
      totals.set(`${type} ${id}`, {
        type,
        id,
        total_memories: (total?.total_memories ?? 0) + 1,
        created_at: minimum(total?.created_at, row.created_at),
        updated_at: maximum(total?.updated_at, row.updated_at),
      });
    }
  }
  for (const total of totals.values()) await addTotal(tx, project, total);
}

function minimum(a: string | undefined, b: string): string {
  return a === undefined || b < a ? b : a;
}

function maximum(a: string | undefined, b: string): string {
  return a === undefined || b > a ? b : a;
}

async function addTotal(
  tx: Tx,
  project: number,
  total: Omit<ScopeTotal, "type"> & { readonly type: ScopeType | "project" },
): Promise<void> {
  await tx.run(sql`insert into scope_totals
    (project, type, id, total_memories, created_at, updated_at)
    values (${project}, ${total.type}, ${total.id}, ${total.total_memories},
     ${total.created_at}, ${total.updated_at})
    on conflict (project, type, id) do update set
      total_memories = scope_totals.total_memories + excluded.total_memories,
      created_at = min(scope_totals.created_at, excluded.created_at),
      updated_at = max(scope_totals.updated_at, excluded.updated_at)`);
}

/** Updates the last timestamp of the scopes that own a changed memory. */
export async function recordUpdate(
  tx: Tx,
  project: number,
  row: Owned & Pick<MemoryRow, "updated_at">,
): Promise<void> {
  for (const [type, id] of ownersOf(row)) {
    await tx.run(sql`update scope_totals set updated_at = max(updated_at, ${row.updated_at})
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
  for (const owner of removed.values()) {
    await tx.run(sql`update scope_totals set total_memories = total_memories - ${owner.rows.length}
      where project = ${project} and type = ${owner.type} and id = ${owner.id}`);
    if (owner.type !== "project") await refreshTimes(tx, project, owner.type, owner.id, owner.rows);
  }
}

/**
 * Deletes a scope's counter if there are no memories left. Otherwise, rereads the first and last
 * timestamps if a deleted memory had one of them.
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
    await tx.run(sql`delete from scope_totals
      where project = ${project} and type = ${type} and id = ${id}`);
    return;
  }
  const isStale = rows.some((row) =>
    row.created_at <= total.created_at || row.updated_at >= total.updated_at
  );
  if (!isStale) return;
  await tx.run(sql`update scope_totals set (created_at, updated_at) =
      (select min(created_at), max(updated_at) from memories
       where project = ${project} and ${raw(SCOPE_TYPES[type])} = ${id})
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
