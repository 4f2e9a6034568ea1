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

  /** For each place those of the same thread that stand no more than `most` steps from it. */
  windows(most: number): Windows {
    const { threads, positions, length } = this;
    const [first, end] = [new Int32Array(length), new Int32Array(length)];
    // Neither end ever goes back: the places lie thread by thread, in their order.
    for (let at = 0, from = 0, to = 0; at < length; at++) {
      const [thread, position] = [threads[at]!, positions[at]!];
      while (threads[from] !== thread || position - positions[from]! > most) from++;
      if (to <= at) to = at + 1;
      while (to < length && threads[to] === thread && positions[to]! - position <= most) to++;
      first[at] = from;
      end[at] = to;
    }
    return { first, end };
  }
}

/** Places around each place, itself among them: from the first one up to the end. */
export interface Windows {
  readonly first: Int32Array;
  readonly end: Int32Array;
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
