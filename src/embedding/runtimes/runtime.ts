/** What computes a vector inside the embedding worker. */

/** One way to compute the vectors of one model. */
export interface Runtime {
  /** The id under which its vectors are stored. */
  readonly model: string;
  readonly dims: number;
  /** The vector, of length 1. */
  embed(text: string, purpose: Purpose): Promise<Float32Array>;
}

/** Some models see questions and texts differently. */
export type Purpose = "query" | "passage";
