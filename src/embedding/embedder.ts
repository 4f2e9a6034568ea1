/**
 * The interface for embedders, which turn texts into a model's vectors. Implementations are
 * interchangeable.
 */

/** Model properties that search needs in order to use the model's vectors. */
export interface EmbeddingModel {
  /** Stored with every vector, because vectors from different models can't be compared. */
  readonly id: string;
  readonly dims: number;
  /**
   * Weight of the similarity relative to the word score, where both are z-scores over the
   * candidates.
   */
  readonly weight: { readonly memories: number; readonly documents: number };
  /** Cosine similarities of unrelated texts and of texts with the same meaning. */
  readonly similarity: { readonly none: number; readonly same: number };
  /**
   * Vector subtracted before taking the signs, for models whose vectors all point in a similar
   * direction. `null` if the model doesn't need it.
   */
  readonly center: Float32Array | null;
}

/** Embedder status for the health endpoint. */
export interface EmbedderStatus {
  /** Model id; `null` before the first use. */
  readonly model: string | null;
  /**
   * Runtime that computes the vectors: `native`, `wasm`, `static` or `http`; `null` before the
   * first use.
   */
  readonly runtime: "native" | "wasm" | "static" | "http" | null;
  /** Why the best runtime isn't used, or why embedding fails; `null` if everything works. */
  readonly fault: string | null;
}

/** Turns texts into vectors of length 1. Everything needed for that is loaded on the first call. */
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
   * Returns the vector for a query.
   *
   * @throws {EmbedderError} If the query can't be embedded.
   */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * Returns the vectors for stored texts, in order. Queries take priority over stored texts.
   *
   * @throws {EmbedderError} If a text can't be embedded.
   */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>;
  readonly status: EmbedderStatus;
  close(): void;
}

/** Thrown if embedding fails. The message says why, and a later retry may succeed. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}
