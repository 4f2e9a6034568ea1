/**
 * A memory that has ended ranks below the one that replaced it: whoever is found by the old one's
 * words is led to what holds now.
 */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import type { Row } from "./memory_rows.ts";
import type { Scored } from "./trace.ts";

/** What the ranks of one search are settled with. */
export interface Succession {
  readonly project: number;
  /** Milliseconds since the epoch: what has ended by then has ended. */
  readonly now: number;
  /** The rows that may be shown, of those with these numbers. */
  readonly shown: (seqs: readonly number[]) => Row[];
}

/** How far a chain of replacements is followed in one search. */
const LONGEST_CHAIN = 8;

/**
 * The ranking with every successor at least as high as what it replaced, and just above it; one that
 * was not found by itself is brought in. Best first.
 */
export function withSuccessors(
  connection: Connection,
  ranked: readonly Scored[],
  { project, now, shown }: Succession,
): readonly Scored[] {
  let ended = ranked.filter(({ row }) => hasEnded(row, now));
  if (ended.length === 0) return ranked;
  const byId = new Map(ranked.map((each) => [each.id, each]));
  const heirs = new Map<string, string>();
  for (let step = 0; step < LONGEST_CHAIN && ended.length > 0; step++) {
    const links = successorsOf(connection, project, ended);
    const missing = links.filter(({ heir }) => !byId.has(heir)).map(({ seq }) => seq);
    const rows = missing.length === 0 ? [] : shown(missing);
    for (const row of rows) byId.set(row.id, { id: row.id, score: 0, parts: {}, row });
    for (const { memory, heir } of links) if (byId.has(heir)) heirs.set(memory, heir);
    ended = rows.flatMap((row) => hasEnded(row, now) ? [byId.get(row.id)!] : []);
  }
  // A score travels along its whole chain, so that the order in which links are seen is of no account.
  for (const start of [...byId.values()].filter(({ score }) => score > 0)) {
    let [at, score] = [start, start.score];
    for (let step = 0; step < LONGEST_CHAIN; step++) {
      const heir = byId.get(heirs.get(at.id) ?? "");
      if (heir === undefined || heir.score > score) break;
      score += (1 - score) * ABOVE;
      at = { ...heir, score, parts: { ...heir.parts, succeeds: score } };
      byId.set(at.id, at);
    }
  }
  return [...byId.values()].filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
}

/** The part of what is missing to 1 by which a successor stands above what it replaced. */
const ABOVE = 0.001;

function hasEnded({ valid_to }: Pick<Row, "valid_to">, now: number): boolean {
  return valid_to !== null && Date.parse(valid_to) <= now;
}

/** Which memories took the place of others, by the history; those that were deleted since did not. */
function successorsOf(
  connection: Connection,
  project: number,
  ended: readonly Scored[],
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
