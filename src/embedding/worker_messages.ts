/** Messages to and from the embedding worker. */

import type { BuiltinName } from "./builtin_models.ts";
import type { Purpose } from "./runtimes/runtime.ts";

/** Ways to compute vectors, best first. */
export const RUNTIMES = ["native", "wasm", "static"] as const;
export type RuntimeName = typeof RUNTIMES[number];

/** Opens a model and lists the runtimes to try. */
export interface OpenRequest {
  readonly open: BuiltinName;
  readonly runtimes: readonly RuntimeName[];
  /**
   * What most of the worker's texts are for. A worker for passages runs at a lower priority than
   * everything else on the machine.
   */
  readonly purpose: Purpose;
}

/** Messages to the worker. The first one opens a model, all others contain texts. */
export type EmbeddingRequest =
  | OpenRequest
  | { readonly text: string; readonly purpose: Purpose }
  | PassageBatch;

/** Passages that several workers embed together: each takes the next one until none are left. */
export interface PassageBatch {
  readonly passages: readonly string[];
  /** Index of the next passage, in shared memory. */
  readonly next: Int32Array<SharedArrayBuffer>;
  /** Not 0, in shared memory, once the worker should stop; null if it never should. */
  readonly pause: Int32Array<SharedArrayBuffer> | null;
}

/** The vectors of the passages that one worker took. */
export interface EmbeddedPassages {
  readonly indexes: readonly number[];
  readonly vectors: readonly Float32Array[];
}

/** A model ready for use. */
export interface OpenedModel {
  readonly opened: RuntimeName;
  readonly model: string;
  readonly dims: number;
  /** Why better runtimes couldn't be used. */
  readonly fault: string | null;
}

/** Messages from the worker: one response per request, in order. */
export type EmbeddingResponse =
  | OpenedModel
  | { readonly vector: Float32Array }
  | EmbeddedPassages
  | { readonly error: string };
