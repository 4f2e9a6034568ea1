/** Where memories stand among others, as scoring in context reads it. */

import { holdsTerm } from "./terms.ts";

/** Memories in their threads, as columns: some thousand of them as objects take twice as long. */
export class Places {
  readonly length: number;
  readonly seqs: Float64Array;
  /** The same for memories of one thread; one in no thread has its own. */
  readonly threads: Float64Array;
  readonly positions: Float64Array;
  /** Which terms of the query they have, a bit each. */
  readonly masks: Int32Array;
  /** 1 for those that end with a question. */
  readonly asks: Uint8Array;
  /** The days of events, where there are any. */
  readonly dates = new Map<number, string>();

  constructor(length: number) {
    this.length = length;
    this.seqs = new Float64Array(length);
    this.threads = new Float64Array(length);
    this.positions = new Float64Array(length);
    this.masks = new Int32Array(length);
    this.asks = new Uint8Array(length);
  }

  /** Whether two stand in the same thread, no more than `most` steps from each other. */
  near(one: number, other: number, most: number): boolean {
    // Beyond the ends there is nothing, which equals no thread.
    return this.threads[one] === this.threads[other] &&
      Math.abs(this.positions[one]! - this.positions[other]!) <= most;
  }

  /** The first one of the same thread that is no more than `most` steps away. */
  firstNear(one: number, most: number): number {
    let first = one;
    while (this.near(one, first - 1, most)) first--;
    return first;
  }
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
