/**
 * Posting lists of terms that were searched for, in memory. FTS5 takes 50 µs to find a term and .15
 * µs to read each of its postings, whereas adding a posting to a score takes .01 µs.
 */

import { LruCache } from "../../kernel/caches/lru_cache.ts";
import type { HashedTerm } from "../query/terms.ts";

interface PostingList {
  readonly term: string;
  /** `seq`s in ascending order, followed by free space. */
  seqs: Uint32Array;
  length: number;
}

/**
 * A project's posting lists, kept up to date with its memories. Evicts the least recently used ones
 * when they exceed a size limit.
 *
 * Lists are found by the hashes of their terms, since that's how a memory's terms are stored. If two
 * terms have the same hash, only one of them has a list.
 */
export class PostingLists {
  /** Bounded by size in `set()`, not by number. */
  readonly #lists = new LruCache<number, PostingList>(Infinity);
  #byteLength = 0;

  /** Size in bytes. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Returns the `seq`s of all memories that contain a term, or undefined if they aren't known. */
  get({ term, hash }: HashedTerm): Uint32Array | undefined {
    const list = this.#lists.get(hash);
    return list?.term === term ? list.seqs.subarray(0, list.length) : undefined;
  }

  /**
   * Stores the list of a term, unless it's larger than the limit by itself.
   *
   * @param seqs `seq`s in ascending order
   * @param maxBytes size limit for all lists combined
   */
  set({ term, hash }: HashedTerm, seqs: Uint32Array, maxBytes: number): void {
    this.delete([hash]);
    if (seqs.byteLength > maxBytes) return;
    this.#lists.set(hash, { term, seqs, length: seqs.length });
    this.#byteLength += seqs.byteLength;
    for (const oldest of this.#lists.keys()) {
      if (this.#byteLength <= maxBytes) return;
      this.delete([oldest]);
    }
  }

  /** Adds a memory to the lists of its terms. */
  add(seq: number, hashes: Iterable<number>): void {
    // Most memories are added before the first search, when there's nothing to do.
    if (this.#lists.size === 0) return;
    for (const hash of hashes) {
      const list = this.#lists.get(hash);
      if (list === undefined) continue;
      // An import reserves its numbers ahead of time, so it can add memories before the last one.
      const isLast = list.length === 0 || list.seqs[list.length - 1]! < seq;
      if (isLast) this.#append(list, seq);
      else this.delete([hash]);
    }
  }

  /** Deletes the lists of these terms. They're read again when they're needed. */
  delete(hashes: Iterable<number>): void {
    for (const hash of hashes) {
      const list = this.#lists.get(hash);
      if (list === undefined) continue;
      this.#byteLength -= list.seqs.byteLength;
      this.#lists.delete(hash);
    }
  }

  #append(list: PostingList, seq: number): void {
    if (list.length === list.seqs.length) {
      const grown = new Uint32Array(Math.ceil(list.length * 1.25) + 16);
      grown.set(list.seqs);
      this.#byteLength += grown.byteLength - list.seqs.byteLength;
      list.seqs = grown;
    }
    list.seqs[list.length++] = seq;
  }
}
