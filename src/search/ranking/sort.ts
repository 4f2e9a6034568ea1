/** Sorts results by something other than relevance, for `sort_by` and for modes that imply it. */

import sql from "sql-template-tag";
import { newestFirst } from "../../kernel/newest_first.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import type { MemorySearchRequest, SortOrder } from "../query/memory_request.ts";
import type { ScoredMemory } from "./trace.ts";
import { MIN_RELEVANT_SHARE } from "./weights.ts";

/**
 * Returns a request's sort order, or null for relevance.
 *
 * @example
 * ```ts
 * import { effectiveSort } from "./sort.ts";
 * import type { MemorySearchRequest } from "../query/memory_request.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const request = { mode: "recent", sortBy: null } as MemorySearchRequest;
 * strictEqual(effectiveSort(request), "recent");
 * strictEqual(effectiveSort({ ...request, sortBy: "importance" }), "importance");
 * strictEqual(effectiveSort({ ...request, mode: "hybrid" }), null);
 * ```
 */
export function effectiveSort({ sortBy, mode }: MemorySearchRequest): SortOrder | null {
  return sortBy ?? (mode === "recent" ? "recent" : mode === "important" ? "importance" : null);
}

/**
 * Returns the relevant memories in the requested order.
 *
 * @param ranked memories by relevance, best first
 */
export function sortResults(
  connection: Connection,
  request: MemorySearchRequest,
  ranked: readonly ScoredMemory[],
): readonly ScoredMemory[] {
  const sort = effectiveSort(request);
  if (sort === null) return ranked;
  const best = ranked[0]?.score ?? 0;
  const relevant = ranked.filter(({ score }) => score >= best * MIN_RELEVANT_SHARE);
  if (sort === "recent") return relevant.sort((a, b) => newestFirst(a.row, b.row));
  if (sort === "importance") return relevant.sort((a, b) => b.row.importance - a.row.importance);
  const accesses = loadAccessCounts(connection, request.project, relevant);
  const count = ({ id }: ScoredMemory) => accesses.get(id)?.count ?? 0;
  const lastAt = ({ id }: ScoredMemory) => accesses.get(id)?.last_at ?? "";
  return sort === "most_accessed"
    ? relevant.sort((a, b) => count(b) - count(a))
    : relevant.sort((a, b) => lastAt(b).localeCompare(lastAt(a)));
}

function loadAccessCounts(
  connection: Connection,
  project: number,
  scored: readonly ScoredMemory[],
) {
  const ids = JSON.stringify(scored.map(({ id }) => id));
  const rows = connection.all<{ memory_id: string; count: number; last_at: string }>(sql`
    select memory_id, count, last_at from memory_access
    where project = ${project} and memory_id in (select value from json_each(${ids}))`);
  return new Map(rows.map((row) => [row.memory_id, row]));
}
