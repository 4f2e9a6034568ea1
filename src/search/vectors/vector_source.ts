/** Determines the set of records covered by a search, using totals we maintain anyway. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { type ScopeKey, type ScopeRowsCache, selectSeqs } from "./scope_rows_cache.ts";
import type { VectorSource } from "./vector_search.ts";
import { VECTOR_KINDS } from "./vector_store.ts";

/** Scope columns, under their names in the totals. */
const SCOPE_TYPES: Readonly<Record<ScopeKey["column"], string>> = {
  user_id: "user",
  agent_id: "agent",
  run_id: "run",
};

/** A condition every record in a search must meet. */
export interface TagCondition {
  readonly column: string;
  readonly value: string;
}

/** Parses tags such as `user_id=ana`. */
export function parseTags(tags: readonly string[]): TagCondition[] {
  return tags.map((tag) => {
    const at = tag.indexOf("=");
    return { column: tag.slice(0, at), value: tag.slice(at + 1) };
  });
}

function isScopeColumn(column: string): column is ScopeKey["column"] {
  return Object.hasOwn(SCOPE_TYPES, column);
}

/** Returns the scopes named by conditions with their numbers of memories, smallest first. */
function scopesBySize(
  connection: Connection,
  project: number,
  conditions: readonly TagCondition[],
): { readonly scope: ScopeKey; readonly size: number }[] {
  const count = (type: string, id: string) =>
    connection.first<{ n: number }>(sql`select total_memories as n from scope_totals
      where project = ${project} and type = ${type} and id = ${id}`)?.n ?? 0;
  return conditions.flatMap(({ column, value }) => {
    if (!isScopeColumn(column)) return [];
    return [{ scope: { project, column, value }, size: count(SCOPE_TYPES[column], value) }];
  }).sort((a, b) => a.size - b.size);
}

/**
 * Returns conditions on memories as SQL. The plus signs make SQLite use the index of the smallest
 * scope. It would otherwise prefer an agent's, which often has the memories of all users.
 */
export function memoryConditions(
  connection: Connection,
  project: number,
  conditions: readonly TagCondition[],
): Sql[] {
  const hasChoice = conditions.filter(({ column }) => isScopeColumn(column)).length > 1;
  const scopes = hasChoice ? scopesBySize(connection, project, conditions) : [];
  const others = new Set<string>(scopes.slice(1).map(({ scope }) => scope.column));
  return conditions.map(({ column, value }) =>
    sql`${raw(others.has(column) ? `+${column}` : column)} = ${value}`
  );
}

/**
 * Returns the memories in the smallest scope named by the conditions, or the whole project if they
 * don't name one.
 */
export function memorySource(
  connection: Connection,
  scopeRows: ScopeRowsCache,
  { project, total }: Pick<VectorSource, "project" | "total">,
  conditions: readonly TagCondition[],
): VectorSource {
  const [smallest] = scopesBySize(connection, project, conditions);
  const scope = smallest === undefined ? null : {
    size: smallest.size,
    seqs: () => scopeRows.get(connection, smallest.scope, smallest.size),
  };
  return { project, kind: VECTOR_KINDS.memory, total, scope };
}

/** Returns the chunks in the given versions. */
export function chunkSourceOf(
  connection: Connection,
  project: number,
  total: number,
  versions: readonly number[],
): VectorSource {
  const wanted = sql`from json_each(${JSON.stringify(versions)}) as wanted`;
  const counted = connection.first<{ n: number }>(sql`
    select coalesce(sum(chunks), 0) as n ${wanted}
    cross join document_versions on seq = wanted.value`);
  const selected = sql`chunks.seq ${wanted} cross join chunks on chunks.version = wanted.value`;
  const scope = { size: counted!.n, seqs: () => selectSeqs(connection, selected) };
  return { project, kind: VECTOR_KINDS.chunk, total, scope };
}

/** Returns the chunks in current versions that meet all conditions. */
export function chunkSource(
  connection: Connection,
  project: number,
  total: number,
  conditions: readonly TagCondition[],
): VectorSource {
  const kind = VECTOR_KINDS.chunk;
  if (conditions.length === 0) return { project, kind, total, scope: null };
  const clauses = conditions.map(({ column, value }) => sql`and head.${raw(column)} = ${value}`);
  const heads = sql`document_versions as head`;
  const matching = sql`head.project = ${project} and is_head = 1
    ${join(clauses, " ")}`;
  const counted = connection.first<{ n: number }>(
    sql`select coalesce(sum(chunks), 0) as n from ${heads} where ${matching}`,
  );
  const selected = sql`chunks.seq from ${heads} cross join chunks
    on chunks.version = head.seq where ${matching}`;
  const scope = { size: counted!.n, seqs: () => selectSeqs(connection, selected) };
  return { project, kind, total, scope };
}
