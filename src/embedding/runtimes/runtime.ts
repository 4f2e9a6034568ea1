/** The interface of the runtimes in an embedding worker. */

/** Computes the vectors of one model. */
export interface Runtime {
  /** Id under which the vectors are stored. */
  readonly model: string;
  readonly dims: number;
  /** Returns the vector of a text, with length 1. */
  embed(text: string, purpose: Purpose): Promise<Float32Array>;
}

/** Some models embed questions and texts differently. */
export type Purpose = "query" | "passage";
