/** Where a memory stands among others, as scoring in context reads it. */

import { holdsTerm } from "./terms.ts";

/** A memory in its thread. */
export interface Place {
  readonly seq: number;
  /** The same for memories of one thread, within one search; one in no thread has its own. */
  readonly thread: number;
  readonly position: number;
  readonly event_date: string | null;
  /** Which terms of the query it has, a bit each. */
  readonly mask: TermMask;
  /** 1 when it ends with a question. */
  readonly asks: number;
}

export type TermMask = number;

/** Terms of a query, as far as places know them. */
export type Hashed = readonly { readonly hash: number }[];

/** The terms of a query among the sorted hashes of a memory, from one place to another. */
export function maskOf(
  terms: Hashed,
  hashes: Uint32Array,
  from: number,
  to: number,
): TermMask {
  let mask = 0;
  for (let bit = 0; bit < terms.length; bit++) {
    if (holdsTerm(hashes, terms[bit]!.hash, from, to)) mask |= 1 << bit;
  }
  return mask;
}
