/** The port of embedding: texts in, vectors of one model out. What stands behind it may change. */

/** What search has to know of a model to work with its vectors. */
export interface EmbeddingModel {
  /** Stored with every vector: vectors of different models can't be compared. */
  readonly id: string;
  readonly dims: number;
  /** How much the similarity counts beside the words, both as z-scores of the candidates. */
  readonly weight: { readonly memories: number; readonly documents: number };
  /** Cosine similarities that mean "nothing in common" and "says the same". */
  readonly similarity: { readonly none: number; readonly same: number };
  /** Subtracted before the signs are taken, for models whose vectors all lean to one side. */
  readonly center: Float32Array | null;
}

/** How an embedder is doing, for health. */
export interface EmbedderStatus {
  /** Null until it was needed for the first time. */
  readonly model: string | null;
  /** What computes: `native`, `wasm`, `static` or `http`; null until then. */
  readonly runtime: "native" | "wasm" | "static" | "http" | null;
  /** Why it isn't the best that there is, or why nothing works. */
  readonly fault: string | null;
}

/** Turns texts into vectors of length 1. It loads what it needs at the first call. */
export interface Embedder {
  /** The id of the model as it is meant to be; a fallback has another one, told by `model`. */
  readonly configuredModelId: string;
  /** The model; loads it. @throws EmbedderError */
  model(): Promise<EmbeddingModel>;
  /** The vector of what is asked. @throws EmbedderError */
  embedQuery(text: string): Promise<Float32Array>;
  /** The vectors of what is kept, in order. Queries go before them. @throws EmbedderError */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>;
  readonly status: EmbedderStatus;
  close(): void;
}

/** Nothing can be embedded now; the message says why. Trying again later may work. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}
