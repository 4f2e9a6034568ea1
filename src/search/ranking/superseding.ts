/**
 * A memory that has ended ranks below the one that replaced it: whoever is found by the old one's
 * words is led to what holds now.
 */

import sql from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import type { ScoringRow } from "../workers/memory_rows.ts";
import type { ScoredMemory } from "./trace.ts";

/** What the ranks of one search are settled with. */
export interface SupersedingOptions {
  readonly project: number;
  /** Milliseconds since the epoch: what has ended by then has ended. */
  readonly now: number;
  /** The rows that may be shown, of those with these numbers. */
  readonly visibleRows: (seqs: readonly number[]) => ScoringRow[];
}

/** How far a chain of replacements is followed in one search. */
const MAX_CHAIN_LINKS = 8;

/**
 * The ranking with every successor at least as high as what it replaced, and just above it; one that
 * was not found by itself is brought in. Best first.
 */
export function promoteSuccessors(
  connection: Connection,
  ranked: readonly ScoredMemory[],
  { project, now, visibleRows }: SupersedingOptions,
): readonly ScoredMemory[] {
  let ended = ranked.filter(({ row }) => hasEnded(row, now));
  if (ended.length === 0) return ranked;
  const byId = new Map(ranked.map((each) => [each.id, each]));
  const successorIds = new Map<string, string>();
  for (let step = 0; step < MAX_CHAIN_LINKS && ended.length > 0; step++) {
    const links = loadSuccessors(connection, project, ended);
    const missing = links.filter(({ heir }) => !byId.has(heir)).map(({ seq }) => seq);
    const rows = missing.length === 0 ? [] : visibleRows(missing);
    for (const row of rows) byId.set(row.id, { id: row.id, score: 0, parts: {}, row });
    for (const { memory, heir } of links) if (byId.has(heir)) successorIds.set(memory, heir);
    ended = rows.flatMap((row) => hasEnded(row, now) ? [byId.get(row.id)!] : []);
  }
  // A score travels along its whole chain, so that the order in which links are seen is of no account.
  for (const start of [...byId.values()].filter(({ score }) => score > 0)) {
    let [at, score] = [start, start.score];
    for (let step = 0; step < MAX_CHAIN_LINKS; step++) {
      const successor = byId.get(successorIds.get(at.id) ?? "");
      if (successor === undefined || successor.score > score) break;
      score += (1 - score) * SUCCESSOR_MARGIN;
      at = { ...successor, score, parts: { ...successor.parts, succeeds: score } };
      byId.set(at.id, at);
    }
  }
  return [...byId.values()].filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
}

/** The part of what is missing to 1 by which a successor stands above what it replaced. */
const SUCCESSOR_MARGIN = 0.001;

function hasEnded({ valid_to }: Pick<ScoringRow, "valid_to">, now: number): boolean {
  return valid_to !== null && Date.parse(valid_to) <= now;
}

/** Which memories took the place of others, by the history; those that were deleted since did not. */
function loadSuccessors(
  connection: Connection,
  project: number,
  ended: readonly ScoredMemory[],
): { readonly memory: string; readonly heir: string; readonly seq: number }[] {
  const ids = JSON.stringify(ended.map(({ id }) => id));
  return connection.all(sql`select memory_id as memory, heirs.id as heir, heirs.seq
    from json_each(${ids}) as wanted
    cross join memory_history as history on history.project = ${project}
      and history.memory_id = wanted.value and event = 'INVALIDATE'
    cross join memories as heirs on heirs.project = ${project}
      and heirs.id = changes -> 'superseded_by' ->> 'to'
    order by history.seq`);
}
