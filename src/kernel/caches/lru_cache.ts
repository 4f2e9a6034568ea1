/** A bounded map that evicts the least recently used entry. */

/**
 * A map with at most `maxSize` entries. Reading or writing an entry makes it the most recently used
 * one; writing beyond the limit evicts the least recently used one. Iteration begins with the
 * latter.
 *
 * Evicting one entry at a time keeps latency even. Clearing the whole cache when it's full would
 * make the next requests pay for all of its entries.
 *
 * Adding to a full cache takes longer the larger it is. Use `TwoGenerationCache` beyond a few
 * thousand entries.
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

  /**
   * @param maxSize maximum number of entries; `Infinity` for callers that evict by another measure
   */
  constructor(maxSize: number) {
    super();
    this.maxSize = maxSize;
  }

  /**
   * Returns the value for a key and makes it the most recently used one, or undefined if there
   * isn't one.
   */
  override get(key: K): V | undefined {
    const value = super.get(key);
    if (value === undefined) return undefined;
    super.delete(key);
    super.set(key, value);
    return value;
  }

  /** Sets the value for a key and evicts the least recently used entry if there are too many. */
  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.maxSize) super.delete(super.keys().next().value!);
    return this;
  }
}
