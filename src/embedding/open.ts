/** From the configuration to an embedder. */

import { BUILTIN_MODELS, type BuiltinName, isBuiltin } from "./builtin_models.ts";
import { BuiltinEmbedder } from "./builtin.ts";
import type { Embedder } from "./embedder.ts";
import { OpenAiEmbedder } from "./openai.ts";
import { type RuntimeName, RUNTIMES } from "./worker_messages.ts";

/** What `--embedder` can be. */
export const EMBEDDERS = ["none", ...Object.keys(BUILTIN_MODELS), "openai"] as const;

/** How texts are embedded. */
export interface EmbedderConfig {
  /** One of `EMBEDDERS`. */
  readonly name: string;
  /** A runtime that must be used; `auto` takes the best that works. */
  readonly runtime: RuntimeName | "auto";
  /** For `openai`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** No embedding at all: search goes by words alone. */
export const NO_EMBEDDER: EmbedderConfig = {
  name: "none",
  runtime: "auto",
  url: "",
  model: "",
  key: undefined,
};

/** Null for `none`. Nothing is loaded yet. */
export function openEmbedder(config: EmbedderConfig): Embedder | null {
  if (isBuiltin(config.name)) return openBuiltin(config.name, config.runtime);
  return config.name === "openai" ? new OpenAiEmbedder(config) : null;
}

function openBuiltin(name: BuiltinName, runtime: EmbedderConfig["runtime"]): Embedder {
  return new BuiltinEmbedder(name, runtime === "auto" ? RUNTIMES : [runtime]);
}

/** The built-in embedder whose vectors carry a model id, to go on asking old vectors; else null. */
export function openEmbedderForModel(modelId: string): Embedder | null {
  for (const [name, model] of Object.entries(BUILTIN_MODELS)) {
    if (!isBuiltin(name)) continue;
    if (model.id === modelId) return new BuiltinEmbedder(name, ["native", "wasm"]);
    if (model.table?.id === modelId) return new BuiltinEmbedder(name, ["static"]);
  }
  return null;
}
