/** Where memories stand among others, as scoring in context reads it. */

/** Memories in their threads, as columns: some thousand of them as objects take twice as long. */
export class ThreadWindow {
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
  readonly #bounds = new Map<number, WindowBounds>();

  constructor(length: number) {
    this.length = length;
    this.seqs = new Float64Array(length);
    this.threads = new Float64Array(length);
    this.positions = new Float64Array(length);
    this.masks = new Int32Array(length);
    this.asks = new Uint8Array(length);
  }

  /**
   * For each place those of the same thread that stand no more than `most` steps from it; found once,
   * so that no place may move after that.
   */
  windowBounds(maxSteps: number): WindowBounds {
    const known = this.#bounds.get(maxSteps);
    if (known !== undefined) return known;
    const { threads, positions, length } = this;
    const [first, end] = [new Int32Array(length), new Int32Array(length)];
    // Neither end ever goes back: the places lie thread by thread, in their order.
    for (let at = 0, from = 0, to = 0; at < length; at++) {
      const [thread, position] = [threads[at]!, positions[at]!];
      while (threads[from] !== thread || position - positions[from]! > maxSteps) from++;
      if (to <= at) to = at + 1;
      while (to < length && threads[to] === thread && positions[to]! - position <= maxSteps) to++;
      first[at] = from;
      end[at] = to;
    }
    const windows = { first, end };
    this.#bounds.set(maxSteps, windows);
    return windows;
  }
}

/** Places around each place, itself among them: from the first one up to the end. */
export interface WindowBounds {
  readonly first: Int32Array;
  readonly end: Int32Array;
}

/** A bit for each term of a query, by its place among them: at most 31. */
export type TermMask = number;

/** Terms of a query, as far as places know them. */
export type TermHashes = readonly { readonly hash: number }[];

/** Most of a memory's hashes are none of a query's, which one look into so many slots tells. */
const HASH_SLOTS = 256;

/** The terms of a query by their hashes: open addressing, since a query has few. */
export class TermMaskTable {
  readonly #hashes = new Uint32Array(HASH_SLOTS);
  readonly #masks = new Int32Array(HASH_SLOTS);

  /** @param terms at most 31, a bit each */
  constructor(terms: TermHashes) {
    for (const [bit, { hash }] of terms.entries()) {
      let slot = hash & HASH_SLOTS - 1;
      while (this.#masks[slot] !== 0 && this.#hashes[slot] !== hash) {
        slot = slot + 1 & HASH_SLOTS - 1;
      }
      this.#hashes[slot] = hash;
      this.#masks[slot]! |= 1 << bit;
    }
  }

  /** Which of the terms are among the hashes from one place to another. */
  maskOf(hashes: Uint32Array, from: number, to: number): TermMask {
    let found = 0;
    for (let at = from; at < to; at++) {
      const hash = hashes[at]!;
      let slot = hash & HASH_SLOTS - 1;
      for (let mask = this.#masks[slot]!; mask !== 0; mask = this.#masks[slot]!) {
        if (this.#hashes[slot] === hash) {
          found |= mask;
          break;
        }
        slot = slot + 1 & HASH_SLOTS - 1;
      }
    }
    return found;
  }
}
