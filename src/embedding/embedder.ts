/**
 * The interface of embedders: they turn texts into vectors of one model. Implementations can be
 * exchanged.
 */

/** Properties of a model that search needs to use its vectors. */
export interface EmbeddingModel {
  /** Stored with every vector. Vectors of different models can't be compared. */
  readonly id: string;
  readonly dims: number;
  /** Weight of the similarity relative to the word score, both as z-scores of the candidates. */
  readonly weight: { readonly memories: number; readonly documents: number };
  /** Cosine similarities of unrelated texts and of texts with the same meaning. */
  readonly similarity: { readonly none: number; readonly same: number };
  /**
   * Vector subtracted before the signs are taken, for models with vectors that all point in a
   * similar direction. `null` if the model doesn't need it.
   */
  readonly center: Float32Array | null;
}

/** Status of an embedder for the health endpoint. */
export interface EmbedderStatus {
  /** Id of the model; `null` before the first use. */
  readonly model: string | null;
  /**
   * Runtime that computes vectors: `native`, `wasm`, `static` or `http`; `null` before the first
   * use.
   */
  readonly runtime: "native" | "wasm" | "static" | "http" | null;
  /** Why the best runtime isn't used, or why embedding fails; `null` if there is no fault. */
  readonly fault: string | null;
}

/** Turns texts into vectors of length 1. Everything it needs is loaded with the first call. */
export interface Embedder {
  /**
   * Id of the configured model. A fallback has a different id, which {@link Embedder.model}
   * returns.
   */
  readonly configuredModelId: string;
  /**
   * Loads and returns the model.
   *
   * @throws {EmbedderError} If it can't be loaded.
   */
  model(): Promise<EmbeddingModel>;
  /**
   * Returns the vector of a query.
   *
   * @throws {EmbedderError} If the query can't be embedded.
   */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * Returns the vectors of stored texts, in order. Queries have priority over them.
   *
   * @throws {EmbedderError} If a text can't be embedded.
   */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>;
  readonly status: EmbedderStatus;
  close(): void;
}

/** Thrown if embedding fails; the message says why. A later retry can succeed. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}
