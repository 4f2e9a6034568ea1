/** What a search has to look at, told by the totals that are kept anyway. */

import sql, { join, raw } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import { type ScopeKey, type ScopeRowsCache, selectSeqs } from "./scope_rows_cache.ts";
import type { VectorSource } from "./vector_search.ts";
import { VECTOR_KINDS } from "./vector_store.ts";

/** Columns that a scope demands, and the totals' names for them. */
const SCOPE_TYPES: Readonly<Record<ScopeKey["column"], string>> = {
  user_id: "user",
  agent_id: "agent",
  run_id: "run",
};

/** What a search demands of every record. */
export interface TagCondition {
  readonly column: string;
  readonly value: string;
}

/** `user_id=ana` and the like, taken apart. */
export function parseTags(tags: readonly string[]): TagCondition[] {
  return tags.map((tag) => {
    const at = tag.indexOf("=");
    return { column: tag.slice(0, at), value: tag.slice(at + 1) };
  });
}

function isScopeColumn(column: string): column is ScopeKey["column"] {
  return Object.hasOwn(SCOPE_TYPES, column);
}

/** The memories of the smallest scope that is demanded, or of the whole project. */
export function memorySource(
  connection: Connection,
  scopeRows: ScopeRowsCache,
  project: number,
  demands: readonly TagCondition[],
): VectorSource {
  const count = (type: string, id: string) =>
    connection.first<{ n: number }>(sql`select total_memories as n from scope_totals
      where project = ${project} and type = ${type} and id = ${id}`)?.n ?? 0;
  const scopes = demands.flatMap(({ column, value }) => {
    if (!isScopeColumn(column)) return [];
    const size = count(SCOPE_TYPES[column], value);
    return [{ size, seqs: () => scopeRows.get(connection, { project, column, value }, size) }];
  });
  return {
    project,
    kind: VECTOR_KINDS.memory,
    total: count("project", ""),
    scope: scopes.sort((a, b) => a.size - b.size)[0] ?? null,
  };
}

/** The chunks of the heads that have everything that is demanded. */
export function chunkSource(
  connection: Connection,
  project: number,
  total: number,
  demands: readonly TagCondition[],
): VectorSource {
  const kind = VECTOR_KINDS.chunk;
  if (demands.length === 0) return { project, kind, total, scope: null };
  const conditions = demands.map(({ column, value }) => sql`and head.${raw(column)} = ${value}`);
  const heads = sql`document_versions as head`;
  const demanded = sql`head.project = ${project} and is_head = 1
    ${join(conditions, " ")}`;
  const counted = connection.first<{ n: number }>(
    sql`select coalesce(sum(chunks), 0) as n from ${heads} where ${demanded}`,
  );
  const numbers = sql`chunks.seq from ${heads} cross join chunks
    on chunks.version = head.seq where ${demanded}`;
  const scope = { size: counted!.n, seqs: () => selectSeqs(connection, numbers) };
  return { project, kind, total, scope };
}
