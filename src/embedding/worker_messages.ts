/** What the embedding worker is told and answers. */

import type { BuiltinName } from "./builtin_models.ts";
import type { Purpose } from "./runtimes/runtime.ts";

/** How vectors may be computed, the best first. */
export const RUNTIMES = ["native", "wasm", "static"] as const;
export type RuntimeName = typeof RUNTIMES[number];

/** To the worker: first the model with the runtimes to try, then texts. */
export type EmbeddingRequest =
  | {
    readonly open: BuiltinName;
    readonly runtimes: readonly RuntimeName[];
    /** Whether whatever else the machine does comes first. */
    readonly lowPriority: boolean;
  }
  | { readonly text: string; readonly purpose: Purpose };

/** A model that is ready. */
export interface OpenedModel {
  readonly opened: RuntimeName;
  readonly model: string;
  readonly dims: number;
  /** Why better runtimes could not be used. */
  readonly fault: string | null;
}

/** From the worker: an answer to each message, in order. */
export type EmbeddingResponse =
  | OpenedModel
  | { readonly vector: Float32Array }
  | { readonly error: string };
