/** A window of memories around search hits, in the form used by contextual scoring. */

/**
 * Memories grouped by thread, stored in columns: a few thousand objects would take twice as long.
 */
export class ThreadWindow {
  readonly length: number;
  readonly seqs: Float64Array;
  /** Thread id. Memories without a thread get an id of their own. */
  readonly threads: Float64Array;
  readonly positions: Float64Array;
  /** Bit mask of the query terms in each memory. */
  readonly masks: Int32Array;
  /** 1 for memories ending with a question. */
  readonly asks: Uint8Array;
  /** Event dates by index, for memories that have one. */
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
   * Returns, for each memory, the range of memories in its thread at most `maxSteps` away. The
   * result is cached, so don't change the window after this call.
   */
  windowBounds(maxSteps: number): WindowBounds {
    const cached = this.#bounds.get(maxSteps);
    if (cached !== undefined) return cached;
    const { threads, positions, length } = this;
    const [first, end] = [new Int32Array(length), new Int32Array(length)];
    // Both ends only move forward, since memories are sorted by thread and position.
    for (let at = 0, from = 0, to = 0; at < length; at++) {
      const [thread, position] = [threads[at]!, positions[at]!];
      while (threads[from] !== thread || position - positions[from]! > maxSteps) from++;
      if (to <= at) to = at + 1;
      while (to < length && threads[to] === thread && positions[to]! - position <= maxSteps) to++;
      first[at] = from;
      end[at] = to;
    }
    const bounds = { first, end };
    this.#bounds.set(maxSteps, bounds);
    return bounds;
  }
}

/** The range around each memory, including itself. `end` is exclusive. */
export interface WindowBounds {
  readonly first: Int32Array;
  readonly end: Int32Array;
}

/** One bit per query term, up to 31. */
export type TermMask = number;

/** Query terms by hash. */
export type TermHashes = readonly { readonly hash: number }[];

/**
 * Number of slots, chosen so that a single lookup rules out a hash that isn't in the query. Most
 * aren't.
 */
const HASH_SLOTS = 256;

/** Query terms by hash. Open addressing will do, since a query has few terms. */
export class TermMaskTable {
  readonly #hashes = new Uint32Array(HASH_SLOTS);
  readonly #masks = new Int32Array(HASH_SLOTS);

  /** @param terms at most 31, one bit each */
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

  /** Returns the mask of query terms found in `hashes` from index `from` up to `to` (exclusive). */
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
