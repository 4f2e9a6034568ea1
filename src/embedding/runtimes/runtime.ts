/** The interface for the runtimes in an embedding worker. */

/** Computes vectors with a single model. */
export interface Runtime {
  /** Id the vectors are stored under. */
  readonly model: string;
  readonly dims: number;
  /** Why the model's encoder of memory queries isn't used. Null if it is, or if there is none. */
  readonly fault: string | null;
  /** Returns a text's vector, scaled to length 1. */
  embed(text: string, purpose: Purpose): Promise<Float32Array>;
}

/** Models can embed texts to store, and queries for memories and for documents, differently. */
export type Purpose = "passage" | "memory query" | "document query";
