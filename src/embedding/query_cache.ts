/** Caches the vectors of recent queries, since people and agents repeat them. */

import { LruCache } from "../kernel/lru_cache.ts";

/** Maximum number of cached queries. A 384-dimensional vector takes 1.5 kB. */
const MAX_CACHED_QUERIES = 1_000;

/** A cache that evicts the least recently used query. */
export class QueryCache {
  readonly #vectors = new LruCache<string, Float32Array>(MAX_CACHED_QUERIES);

  /** Returns a query's vector. Calls `compute` on a cache miss. */
  async getOrCompute(query: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const cached = this.#vectors.get(query);
    if (cached !== undefined) return cached;
    const vector = await compute();
    this.#vectors.set(query, vector);
    return vector;
  }
}
