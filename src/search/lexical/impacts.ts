/**
 * Impact levels for the terms in a chunk. The text index stores each distinct term once per chunk,
 * prefixed with a letter for its impact, i.e. how much the term counts in that chunk. Search reads
 * the highest-impact postings first, so it can rank candidates without reading any chunks, and a
 * common term costs no more than its best postings.
 */

import type { TermFrequencies } from "./term_frequencies.ts";

/**
 * Version of the impact levels, stored with the index. A mismatch triggers a rebuild. A new version
 * comes with a migration; see `SCHEMA_VERSION`.
 */
export const IMPACTS_VERSION = 1;

/** An impact range. A term's impact is its BM25 saturation, from 0 to 1. */
export interface ImpactLevel {
  readonly letter: string;
  /** Lower bound of the range. */
  readonly from: number;
  /** Impact assumed for the whole range when ranking candidates. */
  readonly share: number;
}

/**
 * The levels, best first. In a passage of typical length, a term that occurs once has an impact of
 * .38; twice, .56; four times, .71.
 */
export const IMPACT_LEVELS: readonly ImpactLevel[] = [
  { letter: "a", from: 0.6, share: 0.7 },
  { letter: "b", from: 0.45, share: 0.53 },
  { letter: "c", from: 0.33, share: 0.38 },
  { letter: "d", from: 0, share: 0.27 },
];

/**
 * BM25 parameters and the typical number of terms in a chunk. Kept separate from the ranking
 * weights because the index depends on the chunk alone and has to stay valid when those weights
 * change.
 */
const IMPACT_PARAMETERS = { k1: 1.5, b: 0.85, heading: 1.7, usualLength: 180 } as const;

/**
 * Returns the index tokens for a chunk, space-separated.
 *
 * @param prefix prepended to each token
 */
export function impactTokens(
  { size, terms, inText, inHeading, length }: TermFrequencies,
  prefix: string,
): string {
  const { k1, b, heading, usualLength } = IMPACT_PARAMETERS;
  const damping = k1 * (1 - b + b * length / usualLength);
  const tokens = new Array<string>(size);
  for (let index = 0; index < size; index++) {
    const amount = inText[index]! + heading * inHeading[index]!;
    const share = amount / (amount + damping);
    let level = 0;
    while (share < IMPACT_LEVELS[level]!.from) level++;
    tokens[index] = IMPACT_LEVELS[level]!.letter + terms[index]!;
  }
  return size === 0 ? "" : prefix + tokens.join(" " + prefix);
}
