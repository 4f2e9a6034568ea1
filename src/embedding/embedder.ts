/**
 * The interface for embedders, which turn texts into a model's vectors. Implementations are
 * interchangeable.
 */

/** What a query searches. */
export type Searched = "memories" | "documents";

/** Cosine similarities of unrelated texts, and of texts with the same meaning. */
export interface SimilarityRange {
  readonly none: number;
  readonly same: number;
}

/** What search needs to know about a model to use its vectors. */
export interface EmbeddingModel {
  /** Stored with every vector, since vectors from different models aren't comparable. */
  readonly id: string;
  readonly dims: number;
  /**
   * Weight of the similarity relative to the word score, where both are z-scores over the
   * candidates.
   */
  readonly weight: Readonly<Record<Searched, number>>;
  readonly similarity: Readonly<Record<Searched, SimilarityRange>>;
  /**
   * Vector to subtract before taking the signs, for models whose vectors all point the same general
   * way. `null` if the model doesn't need it.
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
  /** Why the best runtime isn't used, or why embedding fails; `null` if everything's fine. */
  readonly fault: string | null;
}

/** Turns texts into vectors of length 1. Everything it needs is loaded on the first call. */
export interface Embedder {
  /**
   * Id of the configured model. Note that a fallback has a different id. See {@link
   * Embedder.model}.
   */
  readonly configuredModelId: string;
  /**
   * Loads and returns the model.
   *
   * @throws {EmbedderError} If it can't be loaded.
   */
  model(): Promise<EmbeddingModel>;
  /**
   * Returns a query's vector.
   *
   * @param searched Kind of records that the vector is compared with.
   * @throws {EmbedderError} If the query can't be embedded.
   */
  embedQuery(text: string, searched: Searched): Promise<Float32Array>;
  /**
   * Returns the vectors for stored texts, in order. Queries take priority. A text that the model
   * can't embed, although it embeds others, has null in place of a vector.
   *
   * @throws {EmbedderError} If no text can be embedded.
   */
  embedPassages(texts: readonly string[]): Promise<(Float32Array | null)[]>;
  readonly status: EmbedderStatus;
  close(): void;
}

/** Thrown if embedding fails. The message says why. A later retry may succeed. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}
