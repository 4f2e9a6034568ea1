/**
 * Scoring passages with what stands next to them. A document is cut where its structure allows, not
 * where a thought ends: a passage therefore has half of the words of its neighbours, and half of
 * their length. With it, passages rank documents as well as whole documents would (SciFact nDCG@10
 * .682 without, .691 with; laboratory of 6,360 chunks).
 */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import type { QueryTerm } from "./lexical.ts";
import { TermCounts } from "./term_counts.ts";
import type { PassageWeights } from "./weights.ts";

/** What the chunks of a project come to, for their average. */
export interface PassageTotals {
  readonly sources: number;
  readonly chunks: number;
  /** Terms of all chunks, headings included. */
  readonly terms: number;
}

/** A chunk with its score, in [0, 1): the share of what it would have with every term in plenty. */
export interface ScoredPassage {
  readonly seq: number;
  readonly score: number;
}

interface Place {
  readonly seq: number;
  readonly version: number;
  readonly position: number;
  readonly terms: Uint8Array;
}

interface Passage {
  readonly place: Place;
  readonly counts: TermCounts;
}

/** Scores those of the chunks that belong to heads, best first. */
export function scorePassages(
  connection: Connection,
  project: number,
  totals: PassageTotals,
  terms: readonly QueryTerm[],
  seqs: readonly number[],
  weights: PassageWeights,
): ScoredPassage[] {
  const passages = loadPassages(connection, project, seqs);
  const wanted = new Set(seqs);
  const average = averageLength(totals, weights);
  return [...passages.values()].filter(({ place }) => wanted.has(place.seq))
    .map((passage) => ({
      seq: passage.place.seq,
      score: scoreOf(passage, neighboursOf(passage, passages), terms, average, weights),
    }))
    .sort((a, b) => b.score - a.score || b.seq - a.seq);
}

/** BM25 (Robertson and Zaragoza 2009) over the terms of a passage and a share of its neighbours'. */
function scoreOf(
  { counts }: Passage,
  neighbours: readonly Passage[],
  terms: readonly QueryTerm[],
  average: number,
  { k1, b, heading, neighbour }: PassageWeights,
): number {
  let around = 0;
  for (const beside of neighbours) around += beside.counts.textLength;
  const length = counts.textLength + counts.headingLength + neighbour * around;
  const damping = k1 * (1 - b + b * length / average);
  let [answered, whole] = [0, 0];
  for (const { hash, weight: rarity, count } of terms) {
    const weight = rarity * count;
    const place = counts.find(hash);
    let amount = counts.inText(place) + heading * counts.inHeading(place);
    for (const { counts: beside } of neighbours) {
      amount += neighbour * beside.inText(beside.find(hash));
    }
    answered += weight * amount / (amount + damping);
    whole += weight;
  }
  return whole === 0 ? 0 : answered / whole;
}

/** The average length of a passage: its own terms, and a share of those of the ones beside it. */
function averageLength(
  { sources, chunks, terms }: PassageTotals,
  { neighbour }: PassageWeights,
): number {
  const count = Math.max(1, chunks);
  const neighbours = 2 * (count - sources) / count;
  return Math.max(1, terms / count) * (1 + neighbour * Math.max(0, neighbours));
}

function neighboursOf({ place }: Passage, passages: ReadonlyMap<string, Passage>): Passage[] {
  return [place.position - 1, place.position + 1].flatMap((position) =>
    passages.get(`${place.version} ${position}`) ?? []
  );
}

/** The chunks that belong to heads and those next to them, by version and position, each once. */
function loadPassages(
  connection: Connection,
  project: number,
  seqs: readonly number[],
): Map<string, Passage> {
  const rows = connection.all<Place>(sql`
    select terms.seq, terms.version, terms.position, terms.terms
    from json_each(${JSON.stringify(seqs)}) as match
    cross join chunk_terms as hit on hit.seq = match.value
    cross join document_versions as version on version.seq = hit.version
    cross join chunks as beside on beside.version = hit.version
      and beside.position between hit.position - 1 and hit.position + 1
    cross join chunk_terms as terms on terms.seq = beside.seq
    where hit.project = ${project} and version.project = ${project} and is_head = 1`);
  const passages = new Map<string, Passage>();
  for (const place of rows) {
    const key = `${place.version} ${place.position}`;
    if (!passages.has(key)) passages.set(key, { place, counts: new TermCounts(place.terms) });
  }
  return passages;
}
