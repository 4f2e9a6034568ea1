/**
 * Scoring memories with what stands around them. In a conversation the words of a question are
 * spread over a turn and its neighbours: counting those, weaker with distance, was the largest
 * single gain in quality that was measured (LoCoMo R@10 63.9 to 76.2).
 */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import type { QueryTerm } from "./lexical.ts";
import { dateTerms, holdsTerm } from "./terms.ts";
import { WEIGHTS } from "./weights.ts";

/** How far around a candidate other memories become candidates too. */
const EXPANSION = 2;

/** How far away a memory still lends its words. */
const REACH = WEIGHTS.before.length;

/** A memory that was found, as far as it matters here. */
interface Hit {
  readonly seq: number;
  readonly thread: number | null;
  readonly position: number | null;
}

/** A memory in no thread. */
interface Alone {
  readonly seq: number;
  readonly event_date: string | null;
  /** The hashes of its terms, as bytes. */
  readonly terms: Uint8Array;
}

/** A memory in a thread. */
interface Place {
  readonly seq: number;
  readonly thread: number;
  readonly position: number;
  readonly event_date: string | null;
  readonly mask: TermMask;
  /** 1 when it ends with a question. */
  readonly asks: number;
}

/** A memory that stands near another one in its thread. */
export interface Neighbour {
  readonly seq: number;
  /** How many memories it stands after that one; negative before it. */
  readonly step: number;
}

/** A candidate with its score by words and context. */
export interface Candidate {
  readonly seq: number;
  /** The memories around it in its thread, by how far away they stand; none without a thread. */
  readonly around: readonly Neighbour[];
  /** Weighted share of the query: 1 when every term stands in the memory itself. */
  readonly relevance: number;
}

/** Scores the memories found and those next to them, best first. */
export function scoreInContext(
  connection: Connection,
  project: number,
  terms: readonly QueryTerm[],
  found: readonly number[],
): Candidate[] {
  const hits = loadHits(connection, project, found);
  const threaded = loadAround(connection, project, terms, hits);
  const amounts = new Float64Array(terms.length);
  const candidates: Candidate[] = [];
  for (const { seq, event_date, terms: blob } of loadAlone(connection, project, hits)) {
    amounts.fill(0);
    lend(amounts, maskOf(terms, hashesIn(blob)), 1);
    candidates.push({ seq, around: [], relevance: relevanceOf(event_date, terms, amounts) });
  }
  for (const index of besideHits(threaded, new Set(found))) {
    const { seq, position, event_date } = threaded[index]!;
    const around: Neighbour[] = [];
    amounts.fill(0);
    const [first, last] = reachOf(threaded, index, REACH);
    for (let at = first; at <= last; at++) {
      const other = threaded[at]!;
      const step = other.position - position;
      lend(amounts, other.mask, shareOf(other, step));
      if (step !== 0 && Math.abs(step) <= EXPANSION) around.push({ seq: other.seq, step });
    }
    candidates.push({ seq, around, relevance: relevanceOf(event_date, terms, amounts) });
  }
  return candidates.sort((a, b) => b.relevance - a.relevance || b.seq - a.seq);
}

/** Where the hits stand, and the places so near to one that they are candidates too. */
function besideHits(threaded: readonly Place[], hits: ReadonlySet<number>): Set<number> {
  const near = new Set<number>();
  for (const [index, { seq }] of threaded.entries()) {
    if (!hits.has(seq)) continue;
    const [first, last] = reachOf(threaded, index, EXPANSION);
    for (let at = first; at <= last; at++) near.add(at);
  }
  return near;
}

/** The first and the last place of the same thread that are no more than `most` steps away. */
function reachOf(
  threaded: readonly Place[],
  index: number,
  most: number,
): readonly [first: number, last: number] {
  const { thread, position } = threaded[index]!;
  const within = (at: number) =>
    threaded[at]?.thread === thread && Math.abs(threaded[at].position - position) <= most;
  let [first, last] = [index, index];
  while (within(first - 1)) first--;
  while (within(last + 1)) last++;
  return [first, last];
}

/** How much of its words a memory lends to one that stands `step` places before it. */
function shareOf({ asks }: Place, step: number): number {
  if (step === 0) return 1;
  if (step > 0) return WEIGHTS.after[step - 1]!;
  return WEIGHTS.before[-step - 1]! + (step === -1 ? WEIGHTS.asked * asks : 0);
}

/** Adds a share of every term that a mask holds. */
function lend(amounts: Float64Array, mask: TermMask, share: number): void {
  for (let bit = 0; bit < amounts.length; bit++) if (mask & 1 << bit) amounts[bit]! += share;
}

/** The share of the query's weight that a memory answers, each term saturated by its amount. */
function relevanceOf(
  date: string | null,
  terms: readonly QueryTerm[],
  amounts: Float64Array,
): number {
  const dated = date === null ? [] : dateTerms(date);
  const { a, b } = WEIGHTS.saturation;
  let [answered, whole] = [0, 0];
  for (const [index, { term, weight }] of terms.entries()) {
    const amount = amounts[index]! + (dated.includes(term) ? WEIGHTS.date : 0);
    answered += weight * a * amount / (amount + b);
    whole += weight;
  }
  return whole === 0 ? 0 : answered / whole;
}

/** Which terms of the query a memory has, a bit each. */
type TermMask = number;

function maskOf(
  terms: readonly QueryTerm[],
  hashes: Uint32Array,
  from = 0,
  to = hashes.length,
): TermMask {
  let mask = 0;
  for (let bit = 0; bit < terms.length; bit++) {
    if (holdsTerm(hashes, terms[bit]!.hash, from, to)) mask |= 1 << bit;
  }
  return mask;
}

/** The hashes in the bytes of a blob, which may begin anywhere. */
function hashesIn(blob: Uint8Array): Uint32Array {
  return new Uint32Array(blob.slice().buffer);
}

/** The hits, from columns; the terms of those in threads are loaded with their threads. */
function loadHits(connection: Connection, project: number, seqs: readonly number[]): Hit[] {
  // The cross join keeps the rows wanted on the outside: left to choose, SQLite reads the project.
  const read = connection.first<{ seqs: string; threads: string; positions: string }>(sql`
    select json_group_array(seq) as seqs, json_group_array(memories.thread) as threads,
      json_group_array(position) as positions
    from json_each(${JSON.stringify(seqs)}) as wanted
    cross join memories on seq = wanted.value and project = ${project}`)!;
  const [found, threads, positions] = [read.seqs, read.threads, read.positions]
    .map((column) => JSON.parse(column));
  return found.map((seq: number, at: number): Hit => ({
    seq,
    thread: threads[at],
    position: positions[at],
  }));
}

/** Memories that stand in no thread, with the hashes of their terms. */
function loadAlone(connection: Connection, project: number, hits: readonly Hit[]): Alone[] {
  const seqs = hits.filter(({ thread }) => thread === null).map(({ seq }) => seq);
  if (seqs.length === 0) return [];
  return connection.all<Alone>(sql`select seq, event_date, terms
    from json_each(${JSON.stringify(seqs)}) as wanted
    cross join memories on seq = wanted.value and project = ${project}`);
}

/** Places as columns: JSON, and the hashes of all of them one after the other. */
interface PlaceColumns {
  readonly seqs: string;
  readonly threads: string;
  readonly positions: string;
  readonly dates: string;
  readonly asking: string;
  readonly lengths: string;
  readonly hashes: string | null;
}

/**
 * The threads around the hits, in order: all that can be a candidate or lend words to one. Read from
 * the index alone, and as columns: a thousand rows as objects take three times as long.
 */
function loadAround(
  connection: Connection,
  project: number,
  terms: readonly QueryTerm[],
  hits: readonly Hit[],
): Place[] {
  const stretches = stretchesAround(hits, EXPANSION + REACH);
  if (stretches.length === 0) return [];
  // Rows come in the order of the stretches, and within each in that of the index.
  const read = connection.first<PlaceColumns>(sql`
    select json_group_array(seq) as seqs, json_group_array(memories.thread) as threads,
      json_group_array(position) as positions, json_group_array(event_date) as dates,
      json_group_array(asks) as asking, json_group_array(length(terms) / 4) as lengths,
      group_concat(hex(terms), '') as hashes
    from json_each(${JSON.stringify(stretches)}) as stretch
    cross join memories indexed by memories_in_thread on project = ${project}
      and memories.thread = stretch.value ->> 0
      and position between stretch.value ->> 1 and stretch.value ->> 2`)!;
  const [seqs, threads, positions, dates, asking, lengths] = [
    ...[read.seqs, read.threads, read.positions, read.dates, read.asking, read.lengths],
  ].map((column) => JSON.parse(column));
  const hashes = new Uint32Array(Uint8Array.fromHex(read.hashes ?? "").buffer);
  let from = 0;
  return seqs.map((seq: number, at: number): Place => ({
    seq,
    thread: threads[at],
    position: positions[at],
    event_date: dates[at],
    asks: asking[at],
    mask: maskOf(terms, hashes, from, from += lengths[at]),
  }));
}

/** A piece of a thread: its number, its first and its last position. */
type Stretch = [thread: number, from: number, to: number];

/** The pieces around the hits, joined where they touch, so that no row is read twice. */
function stretchesAround(hits: readonly Hit[], near: number): Stretch[] {
  const placed = hits.filter((hit) => hit.thread !== null)
    .sort((a, b) => a.thread! - b.thread! || a.position! - b.position!);
  const stretches: Stretch[] = [];
  for (const { thread, position } of placed) {
    const last = stretches.at(-1);
    const touches = last?.[0] === thread && position! - near <= last[2] + 1;
    if (touches) last[2] = position! + near;
    else stretches.push([thread!, position! - near, position! + near]);
  }
  return stretches;
}
