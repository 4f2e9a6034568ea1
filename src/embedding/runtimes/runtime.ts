/** The interface for the runtimes in an embedding worker. */

/** Computes vectors with a single model. */
export interface Runtime {
  /** The id under which the vectors are stored. */
  readonly model: string;
  readonly dims: number;
  /** Returns the vector for a text, scaled to length 1. */
  embed(text: string, purpose: Purpose): Promise<Float32Array>;
}

/** Some models embed questions and texts differently. */
export type Purpose = "query" | "passage";
