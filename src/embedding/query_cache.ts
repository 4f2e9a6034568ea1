/** Caches the vectors of recent queries, since people and agents repeat them. */

import { LruCache } from "../kernel/caches/lru_cache.ts";

/** Maximum number of cached queries. A 384-dimensional vector takes 1.5 kB. */
const MAX_CACHED_QUERIES = 1_000;

/** A cache that evicts the least recently used query. */
export class QueryCache {
  readonly #vectors = new LruCache<string, Float32Array>(MAX_CACHED_QUERIES);
  /** Vectors being computed. Equal queries at the same time share one. */
  readonly #pending = new Map<string, Promise<Float32Array>>();

  /** Returns a query's vector. Calls `compute` on a cache miss. */
  async getOrCompute(query: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const cached = this.#vectors.get(query);
    if (cached !== undefined) return cached;
    const pending = this.#pending.get(query) ?? this.#compute(query, compute);
    return await pending;
  }

  #compute(query: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const pending = compute().then((vector) => {
      this.#vectors.set(query, vector);
      return vector;
    }).finally(() => this.#pending.delete(query));
    this.#pending.set(query, pending);
    return pending;
  }
}
