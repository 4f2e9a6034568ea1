/**
 * Posting lists of terms that were searched for, in memory. Reading a posting from FTS5 takes
 * several times as long as adding it to a score.
 */

import { LruCache } from "../../kernel/caches/lru_cache.ts";
import type { HashedTerm } from "../query/terms.ts";

/** Memory of a list besides its numbers, in bytes. */
const LIST_BYTES = 300;

interface PostingList {
  readonly term: string;
  /** `seq`s in ascending order, followed by free space. */
  seqs: Uint32Array;
  length: number;
}

/**
 * A project's posting lists, kept up to date with its memories. Evicts the least recently searched
 * or changed ones when they exceed a size limit.
 *
 * Lists are found by the hashes of their terms, since that's how a memory's terms are stored. If two
 * terms have the same hash, only one of them has a list, and memories with the other one that are
 * added later are in it too. Scoring can't distinguish them either.
 */
export class PostingLists {
  readonly #maxBytes: () => number;
  /** Bounded by size in `trim()`, not by number. */
  readonly #lists = new LruCache<number, PostingList>(Infinity);
  #byteLength = 0;

  /** @param maxBytes returns the current size limit for all lists combined */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

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
   */
  set({ term, hash }: HashedTerm, seqs: Uint32Array): void {
    this.delete([hash]);
    const maxBytes = this.#maxBytes();
    if (LIST_BYTES + seqs.byteLength <= maxBytes) {
      this.#lists.set(hash, { term, seqs, length: seqs.length });
      this.#byteLength += LIST_BYTES + seqs.byteLength;
    }
    this.trim(maxBytes);
  }

  /** Adds a memory to the lists of its terms. */
  add(seq: number, hashes: Iterable<number>): void {
    // Most memories are added before the first search, when there's nothing to do.
    if (this.#lists.size === 0) return;
    for (const hash of hashes) {
      const list = this.#lists.get(hash);
      // The memory's text can contain a word of its date.
      if (list === undefined || list.seqs[list.length - 1] === seq) continue;
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
      this.#byteLength -= LIST_BYTES + list.seqs.byteLength;
      this.#lists.delete(hash);
    }
  }

  /** Deletes the least recently searched or changed lists until the others fit into `maxBytes`. */
  trim(maxBytes: number): void {
    for (const oldest of this.#lists.keys()) {
      if (this.#byteLength <= maxBytes) return;
      this.delete([oldest]);
    }
  }

  #append(list: PostingList, seq: number): void {
    const isFull = list.length === list.seqs.length;
    if (isFull) {
      const grown = new Uint32Array(Math.ceil(list.length * 1.25) + 16);
      grown.set(list.seqs);
      this.#byteLength += grown.byteLength - list.seqs.byteLength;
      list.seqs = grown;
    }
    list.seqs[list.length++] = seq;
    if (isFull) this.trim(this.#maxBytes());
  }
}
