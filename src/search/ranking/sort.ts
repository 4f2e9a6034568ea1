/** Modes and `sort_by` other than relevance: what is relevant, in another order. */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import type { MemorySearchRequest, SortOrder } from "../query/memory_request.ts";
import type { ScoredMemory } from "./trace.ts";
import { MIN_RELEVANT_SHARE } from "./weights.ts";

/** What decides the order; null when relevance does. */
export function effectiveSort({ sortBy, mode }: MemorySearchRequest): SortOrder | null {
  return sortBy ?? (mode === "recent" ? "recent" : mode === "important" ? "importance" : null);
}

/** The memories in the order that was asked for; `ranked` is in the order of relevance. */
export function sortResults(
  connection: Connection,
  request: MemorySearchRequest,
  ranked: readonly ScoredMemory[],
): readonly ScoredMemory[] {
  const sort = effectiveSort(request);
  if (sort === null) return ranked;
  const best = ranked[0]?.score ?? 0;
  const relevant = ranked.filter((each) => each.score >= best * MIN_RELEVANT_SHARE);
  if (sort === "recent") return relevant.sort((a, b) => b.row.seq - a.row.seq);
  if (sort === "importance") return relevant.sort((a, b) => b.row.importance - a.row.importance);
  const reads = loadAccessCounts(connection, request.project, relevant);
  const of = (each: ScoredMemory) => reads.get(each.id);
  return sort === "most_accessed"
    ? relevant.sort((a, b) => (of(b)?.count ?? 0) - (of(a)?.count ?? 0))
    : relevant.sort((a, b) => (of(b)?.last_at ?? "").localeCompare(of(a)?.last_at ?? ""));
}

function loadAccessCounts(
  connection: Connection,
  project: number,
  scored: readonly ScoredMemory[],
) {
  const ids = JSON.stringify(scored.map((each) => each.id));
  const rows = connection.all<{ memory_id: string; count: number; last_at: string }>(sql`
    select memory_id, count, last_at from memory_access
    where project = ${project} and memory_id in (select value from json_each(${ids}))`);
  return new Map(rows.map((row) => [row.memory_id, row]));
}
