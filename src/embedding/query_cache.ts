/** Vectors of queries asked lately: people and agents ask the same things again. */

/** Queries whose vectors are kept; 384 dims are 1.5 kB each. */
const MAX_CACHED_QUERIES = 1_000;

/** A cache of the least recently used kind. */
export class QueryCache {
  readonly #vectors = new Map<string, Float32Array>();

  /** The vector of a query, computed unless it is known. */
  async getOrCompute(query: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const known = this.#vectors.get(query);
    this.#vectors.delete(query);
    const vector = known ?? await compute();
    this.#vectors.set(query, vector);
    if (this.#vectors.size > MAX_CACHED_QUERIES) {
      this.#vectors.delete(this.#vectors.keys().next().value!);
    }
    return vector;
  }
}
