/** A bounded map that evicts the least recently used entry. */

/**
 * A map that holds at most `maxSize` entries. Reading or writing an entry makes it the most recently
 * used one; writing beyond the limit evicts the entry that was used longest ago. Iteration begins
 * with that entry.
 *
 * Evicting one entry at a time keeps latency even: a cache that is cleared as a whole when it is full
 * makes the next requests pay for all of its entries.
 *
 * A new entry in a full cache takes longer the larger the cache is. Use `TwoGenerationCache` for more
 * than some thousand entries.
 *
 * @example
 * ```ts
 * import { LruCache } from "./lru_cache.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const cache = new LruCache<string, number>(2);
 * cache.set("a", 1).set("b", 2);
 * cache.get("a");
 * cache.set("c", 3);
 * strictEqual(cache.has("b"), false);
 * strictEqual(cache.get("a"), 1);
 * ```
 */
export class LruCache<K, V> extends Map<K, V> {
  readonly maxSize: number;

  /** @param maxSize entries at most; `Infinity` for callers that evict by another measure */
  constructor(maxSize: number) {
    super();
    this.maxSize = maxSize;
  }

  /** Returns the value of a key and makes it the most recently used; undefined if there is none. */
  override get(key: K): V | undefined {
    const value = super.get(key);
    if (value === undefined) return undefined;
    super.delete(key);
    super.set(key, value);
    return value;
  }

  /** Sets the value of a key and evicts the least recently used entry if there are too many. */
  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.maxSize) super.delete(super.keys().next().value!);
    return this;
  }
}
