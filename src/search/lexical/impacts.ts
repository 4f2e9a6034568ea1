/**
 * What the text index holds of a chunk: each distinct term once, with a letter in front that tells
 * how much the term counts there. The lists of the best letters are read first, so that candidates
 * are ranked without looking at any of them, and a common term costs no more than its best part.
 */

import type { TermFrequencies } from "./term_frequencies.ts";

/** Written into the database beside the index; another number means: rebuild it. */
export const IMPACTS_VERSION = 1;

/** A step of what a term may count in a passage, by BM25's saturation: from 0 to 1. */
export interface ImpactLevel {
  readonly letter: string;
  /** From here on. */
  readonly from: number;
  /** What it counts for when candidates are chosen. */
  readonly share: number;
}

/** Best first. Once in a passage of the usual length is .38, twice .56, four times .71. */
export const IMPACT_LEVELS: readonly ImpactLevel[] = [
  { letter: "a", from: 0.6, share: 0.7 },
  { letter: "b", from: 0.45, share: 0.53 },
  { letter: "c", from: 0.33, share: 0.38 },
  { letter: "d", from: 0, share: 0.27 },
];

/**
 * BM25's parameters, and the terms of a usual chunk. Constants of their own: the index is a function
 * of the chunk alone, and stays as it is when passages are weighed otherwise.
 */
const IMPACT_PARAMETERS = { k1: 1.5, b: 0.85, heading: 1.7, usualLength: 180 } as const;

/**
 * The terms of a chunk as the index takes them, with one space between them.
 *
 * @param prefix what stands in front of each
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
