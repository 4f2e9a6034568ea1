/** Embeds queries with whichever model is currently serving vectors. */

import sql from "sql-template-tag";
import type { Embedder, EmbeddingModel, Searched } from "../../embedding/embedder.ts";
import { openEmbedderForModel } from "../../embedding/open.ts";
import { toSignBits } from "../../embedding/quantize.ts";
import type { Store } from "../../store/store.ts";
import type { QueryVector } from "../query/memory_request.ts";
import type { CurrentEmbedder } from "./current_embedder.ts";
import type { ModelRow } from "./vector_store.ts";

/** Maximum time to wait for a query's vector. After that, the search makes do with words. */
const QUERY_TIMEOUT_MS = 5_000;

/** Embeds queries. Uses the old model while vectors for a new one are being built. */
export class QueryEmbedder {
  readonly #store: Store;
  readonly #embedder: CurrentEmbedder | null;
  #previous: { readonly id: string; readonly embedder: Embedder } | undefined;

  constructor(store: Store, embedder: CurrentEmbedder | null) {
    this.#store = store;
    this.#embedder = embedder;
  }

  /** Whether queries are embedded at all. */
  get enabled(): boolean {
    return this.#embedder !== null;
  }

  /**
   * Returns a query's vector, or null if there are no vectors to compare it with or it can't be
   * embedded in time.
   */
  async embed(query: string, searched: Searched): Promise<QueryVector | null> {
    if (this.#embedder === null) return null;
    const row = await this.#servingModel(this.#embedder.get().configuredModelId);
    if (row === undefined) return null;
    try {
      return await withTimeout(this.#embedWith(this.#embedderFor(row.id), row, query, searched));
    } catch {
      // The error shows up in the embedder status, which is part of the health response.
      return null;
    }
  }

  /** Keeps a replaced embedder for as long as its vectors are in use, and closes the one before. */
  keepPrevious(embedder: Embedder): void {
    this.#previous?.embedder.close();
    const id = embedder.status.model ?? embedder.configuredModelId;
    this.#previous = { id, embedder };
  }

  close(): void {
    this.#previous?.embedder.close();
  }

  /** Returns the model serving vectors or, if there is none yet, the one being built. */
  #servingModel(configuredId: string): Promise<ModelRow | undefined> {
    return this.#store.queryOne<ModelRow>(sql`select number, id, dims, position, serving
      from embedding_models order by serving desc, id = ${configuredId} desc, number desc limit 1`);
  }

  #embedderFor(id: string): Embedder {
    const current = this.#embedder!.get();
    const currentId = current.status.model ?? current.configuredModelId;
    if (currentId === id) {
      this.#previous?.embedder.close();
      this.#previous = undefined;
      return current;
    }
    if (this.#previous?.id === id) return this.#previous.embedder;
    const embedder = openEmbedderForModel(id);
    if (embedder === null) return current;
    this.#previous?.embedder.close();
    this.#previous = { id, embedder };
    return embedder;
  }

  async #embedWith(
    embedder: Embedder,
    row: ModelRow,
    query: string,
    searched: Searched,
  ): Promise<QueryVector | null> {
    const vector = await embedder.embedQuery(query, searched);
    const model = await embedder.model();
    // A model we can't reach (e.g. at a different endpoint) can't embed queries, so its vectors go
    // unused until the rebuild is done. The same goes for a model with other dimensions by now.
    const isSame = model.id === row.id && vector.length === row.dims;
    return isSame ? toQueryVector(row.number, model, vector, searched) : null;
  }
}

function toQueryVector(
  number: number,
  model: EmbeddingModel,
  vector: Float32Array,
  searched: Searched,
): QueryVector {
  return {
    model: number,
    vector,
    signs: toSignBits(vector, model.center),
    weight: model.weight,
    similarity: model.similarity[searched],
  };
}

function withTimeout<T>(work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), QUERY_TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
