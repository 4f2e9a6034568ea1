/**
 * Scoring memories with what stands around them. In a conversation the words of a question are
 * spread over a turn and its neighbours: counting those, weaker with distance, was the largest
 * single gain in quality that was measured (LoCoMo R@10 63.9 to 76.2).
 */

import type { QueryTerm } from "./lexical.ts";
import type { Place, TermMask } from "./place.ts";
import { dateTerms } from "./terms.ts";
import { WEIGHTS } from "./weights.ts";

/** How far around a candidate other memories become candidates too. */
const EXPANSION = 2;

/** How far away a memory still lends its words. */
const REACH = WEIGHTS.before.length;

/** How far from a hit stands what can be a candidate or lend words to one. */
export const SURROUNDINGS = EXPANSION + REACH;

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

/**
 * Scores the memories found and those next to them, best first.
 *
 * @param places the memories found with all up to `SURROUNDINGS` steps from them, thread by thread
 */
export function scoreInContext(
  places: readonly Place[],
  terms: readonly QueryTerm[],
  found: readonly number[],
): Candidate[] {
  const amounts = new Float64Array(terms.length);
  const candidates: Candidate[] = [];
  for (const index of besideHits(places, new Set(found))) {
    const { seq, position, event_date } = places[index]!;
    const around: Neighbour[] = [];
    amounts.fill(0);
    const [first, last] = reachOf(places, index, REACH);
    for (let at = first; at <= last; at++) {
      const other = places[at]!;
      const step = other.position - position;
      lend(amounts, other.mask, shareOf(other, step));
      if (step !== 0 && Math.abs(step) <= EXPANSION) around.push({ seq: other.seq, step });
    }
    candidates.push({ seq, around, relevance: relevanceOf(event_date, terms, amounts) });
  }
  return candidates.sort((a, b) => b.relevance - a.relevance || b.seq - a.seq);
}

/** Where the hits stand, and the places so near to one that they are candidates too. */
function besideHits(places: readonly Place[], hits: ReadonlySet<number>): Set<number> {
  const near = new Set<number>();
  for (const [index, { seq }] of places.entries()) {
    if (!hits.has(seq)) continue;
    const [first, last] = reachOf(places, index, EXPANSION);
    for (let at = first; at <= last; at++) near.add(at);
  }
  return near;
}

/** The first and the last place of the same thread that are no more than `most` steps away. */
function reachOf(
  places: readonly Place[],
  index: number,
  most: number,
): readonly [first: number, last: number] {
  const { thread, position } = places[index]!;
  const within = (at: number) =>
    places[at]?.thread === thread && Math.abs(places[at].position - position) <= most;
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
