/** A bounded cache for many small entries that are read far more often than written. */

/**
 * A map that holds at most `maxSize` entries and evicts those that were not used for longest. It
 * keeps two generations, each of half the size. New entries, and entries of the older generation
 * that are read, go to the younger one. When that is full, it becomes the older one, and the entries
 * left in the previous older one are evicted: none of them was used since.
 *
 * A set of entries that are all in use stays cached if it fits into one generation, so `maxSize` is
 * twice the number that a caller expects.
 *
 * A hit in the younger generation is a single lookup. `LruCache` reorders its entries with every hit,
 * which takes three times as long, and V8 scans the deleted entries of a `Map` for the oldest one,
 * which takes 24 µs for a new entry in a full cache of 50,000 (`deno task bench caches`). Use
 * `LruCache` for up to some thousand entries, or if the exact order matters.
 *
 * Dominic Tarr describes the algorithm in "hashlru"; `quick-lru` implements it too.
 *
 * @example
 * ```ts
 * import { TwoGenerationCache } from "./two_generation_cache.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const cache = new TwoGenerationCache<string, number>(4);
 * cache.set("a", 1).set("b", 2);
 * cache.get("a");
 * cache.set("c", 3);
 * strictEqual(cache.get("b"), undefined);
 * strictEqual(cache.get("a"), 1);
 * ```
 */
export class TwoGenerationCache<K, V> {
  readonly #maxGenerationSize: number;
  #younger = new Map<K, V>();
  #older: ReadonlyMap<K, V> = new Map();

  /** @param maxSize maximum number of entries, at least 2 */
  constructor(maxSize: number) {
    this.#maxGenerationSize = Math.floor(maxSize / 2);
  }

  /** Returns the value of a key; undefined if there is none. */
  get(key: K): V | undefined {
    return this.#younger.get(key) ?? this.#promote(key);
  }

  /** Sets the value of a key. Evicts the older generation if the younger one is full. */
  set(key: K, value: V): this {
    this.#younger.set(key, value);
    if (this.#younger.size >= this.#maxGenerationSize) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    return this;
  }

  /** Moves an entry of the older generation to the younger one, and returns its value. */
  #promote(key: K): V | undefined {
    const value = this.#older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
