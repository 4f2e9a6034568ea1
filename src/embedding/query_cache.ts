/** Caches the vectors of recent queries, because people and agents repeat them. */

/** Maximum number of cached queries. A vector of 384 dims takes 1.5 kB. */
const MAX_CACHED_QUERIES = 1_000;

/** A cache that evicts the least recently used query. */
export class QueryCache {
  readonly #vectors = new Map<string, Float32Array>();

  /** Returns the vector of a query. Calls `compute` if it isn't cached. */
  async getOrCompute(query: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const cached = this.#vectors.get(query);
    this.#vectors.delete(query);
    const vector = cached ?? await compute();
    this.#vectors.set(query, vector);
    if (this.#vectors.size > MAX_CACHED_QUERIES) {
      this.#vectors.delete(this.#vectors.keys().next().value!);
    }
    return vector;
  }
}
