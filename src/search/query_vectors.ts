/** The vector of a query, by the model whose vectors are in service. */

import sql from "sql-template-tag";
import type { Embedder, EmbeddingModel } from "../embedding/embedder.ts";
import { openEmbedderOf } from "../embedding/open.ts";
import { signsOf } from "../embedding/quantize.ts";
import type { Store } from "../store/store.ts";
import type { QueryVector } from "./request.ts";
import type { ModelRow } from "./vector_store.ts";

/** A query may wait this long for its vector; then it is answered by words alone. */
const PATIENCE_MS = 5_000;

/** Embeds queries. While a new model's vectors are made, the old model goes on being asked. */
export class QueryVectors {
  readonly #store: Store;
  readonly #embedder: Embedder | null;
  #old: { readonly id: string; readonly embedder: Embedder } | undefined;

  constructor(store: Store, embedder: Embedder | null) {
    this.#store = store;
    this.#embedder = embedder;
  }

  /** Whether queries get vectors at all. */
  get active(): boolean {
    return this.#embedder !== null;
  }

  /** Null when there are no vectors to compare with, or nothing to embed the query with. */
  async of(query: string): Promise<QueryVector | null> {
    if (this.#embedder === null) return null;
    const row = await this.#inUse(this.#embedder.intended);
    if (row === undefined) return null;
    try {
      return await withPatience(this.#embed(this.#embedderFor(row.id), row, query));
    } catch {
      // The embedder's status, and through it health, tells what is wrong.
      return null;
    }
  }

  close(): void {
    this.#old?.embedder.close();
  }

  /** The model in service; before the first one is, the one that is catching up. */
  #inUse(intended: string): Promise<ModelRow | undefined> {
    return this.#store.lookUp<ModelRow>(sql`select number, id, dims, position, serving
      from embedding_models order by serving desc, id = ${intended} desc, number desc limit 1`);
  }

  #embedderFor(id: string): Embedder {
    const current = this.#embedder!;
    const known = current.status.model ?? current.intended;
    if (known === id) {
      this.#old?.embedder.close();
      this.#old = undefined;
      return current;
    }
    if (this.#old?.id === id) return this.#old.embedder;
    const embedder = openEmbedderOf(id);
    if (embedder === null) return current;
    this.#old?.embedder.close();
    this.#old = { id, embedder };
    return embedder;
  }

  async #embed(embedder: Embedder, row: ModelRow, query: string): Promise<QueryVector | null> {
    const vector = await embedder.query(query);
    const model = await embedder.model();
    // A model out of reach (another endpoint's) can't be asked: its vectors rest until the rebuild.
    return model.id === row.id ? asQuery(row.number, model, vector) : null;
  }
}

function asQuery(number: number, model: EmbeddingModel, vector: Float32Array): QueryVector {
  return {
    model: number,
    vector,
    signs: signsOf(vector, model.center),
    weight: model.weight,
    similarity: model.similarity,
  };
}

function withPatience<T>(work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
