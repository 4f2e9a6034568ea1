/**
 * Ranks superseded memories below their successors, so searching for words from an old memory leads
 * to the current one.
 */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import type { ScoringRow } from "../workers/memory_rows.ts";
import type { ScoredMemory } from "./trace.ts";

/** Options for `promoteSuccessors()`. */
export interface SupersedingOptions {
  readonly project: number;
  /**
   * Current time in milliseconds since the epoch. A memory counts as ended if its validity period
   * is over by then.
   */
  readonly now: number;
  /** Returns the rows with these `seq`s that are visible to the request. */
  readonly visibleRows: (seqs: readonly number[]) => ScoringRow[];
}

/** Maximum length of a replacement chain to follow. */
const MAX_CHAIN_LINKS = 8;

/**
 * Returns the ranking, best first, with every successor placed just above the memory it replaced,
 * unless it already ranks higher. Adds successors not found by the search itself.
 */
export function promoteSuccessors(
  connection: Connection,
  ranked: readonly ScoredMemory[],
  { project, now, visibleRows }: SupersedingOptions,
): readonly ScoredMemory[] {
  let ended = ranked.filter(({ row }) => hasEnded(row, now));
  if (ended.length === 0) return ranked;
  const byId = new Map(ranked.map((memory) => [memory.id, memory]));
  const successorIds = new Map<string, string>();
  for (let step = 0; step < MAX_CHAIN_LINKS && ended.length > 0; step++) {
    const links = loadSuccessors(connection, project, ended);
    const missing = links.filter(({ successor }) => !byId.has(successor)).map(({ seq }) => seq);
    const rows = missing.length === 0 ? [] : visibleRows(missing);
    for (const row of rows) byId.set(row.id, { id: row.id, score: 0, parts: {}, row });
    for (const { memory, successor } of links) {
      if (byId.has(successor)) successorIds.set(memory, successor);
    }
    ended = rows.flatMap((row) => hasEnded(row, now) ? [byId.get(row.id)!] : []);
  }
  // Pass a score along the whole chain, so the result doesn't depend on the order of links.
  for (const start of [...byId.values()].filter(({ score }) => score > 0)) {
    let [current, score] = [start, start.score];
    for (let step = 0; step < MAX_CHAIN_LINKS; step++) {
      const successor = byId.get(successorIds.get(current.id) ?? "");
      if (successor === undefined || successor.score > score) break;
      score += (1 - score) * SUCCESSOR_MARGIN;
      current = { ...successor, score, parts: { ...successor.parts, succeeds: score } };
      byId.set(current.id, current);
    }
  }
  return [...byId.values()].filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
}

/** How far a successor ranks above the memory it replaced, as a fraction of the distance to 1. */
const SUCCESSOR_MARGIN = 0.001;

function hasEnded({ valid_to }: Pick<ScoringRow, "valid_to">, now: number): boolean {
  return valid_to !== null && Date.parse(valid_to) <= now;
}

/** Loads successors from the history. Deleted ones are skipped. */
function loadSuccessors(
  connection: Connection,
  project: number,
  ended: readonly ScoredMemory[],
): { readonly memory: string; readonly successor: string; readonly seq: number }[] {
  const ids = JSON.stringify(ended.map(({ id }) => id));
  return connection.all(sql`select memory_id as memory, successors.id as successor,
    successors.seq
    from json_each(${ids}) as wanted
    cross join memory_history as history on history.project = ${project}
      and history.memory_id = wanted.value and event = 'INVALIDATE'
    cross join memories as successors on successors.project = ${project}
      and successors.id = changes -> 'superseded_by' ->> 'to'
    order by history.seq`);
}
