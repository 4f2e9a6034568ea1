/** A bounded cache for lots of small entries, read far more often than written. */

/**
 * A map with at most `maxSize` entries that evicts those unused for longest. Under the hood, there
 * are two generations, each half the size. New entries go to the younger one, and so do entries
 * read from the older one. Once the younger generation is full, it becomes the older one, and
 * what's left in the previous older one is evicted, not having been used since.
 *
 * A set of entries that are all in use stays cached if it fits into one generation, so `maxSize`
 * should be twice the expected number.
 *
 * A hit in the younger generation is a single lookup. `LruCache` reorders its entries on every hit,
 * which takes three times as long. Also, V8 scans a `Map`'s deleted entries for the oldest one;
 * this takes 24 µs for a new entry in a full cache of 50,000 (`deno task bench caches`). Use
 * `LruCache` for up to a few thousand entries, or if the exact order matters.
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

  /** Returns the value for a key, or undefined if there isn't one. */
  get(key: K): V | undefined {
    return this.#younger.get(key) ?? this.#promote(key);
  }

  /** Sets the value for a key. Evicts the older generation if the younger one is full. */
  set(key: K, value: V): this {
    this.#younger.set(key, value);
    if (this.#younger.size >= this.#maxGenerationSize) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    return this;
  }

  /** Moves an entry from the older to the younger generation and returns its value. */
  #promote(key: K): V | undefined {
    const value = this.#older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }
}
