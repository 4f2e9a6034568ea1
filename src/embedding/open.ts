/** Creates embedders from the configuration. */

import { BUILTIN_MODELS, type BuiltinName, isBuiltin } from "./builtin_models.ts";
import { BuiltinEmbedder } from "./builtin.ts";
import type { Embedder } from "./embedder.ts";
import { OpenAiEmbedder } from "./openai.ts";
import { type RuntimeName, RUNTIMES } from "./worker_messages.ts";

/** Values that `--embedder` accepts. */
export const EMBEDDERS = ["none", ...Object.keys(BUILTIN_MODELS), "openai"] as const;

/** Embedder configuration. */
export interface EmbedderConfig {
  /** One of {@link EMBEDDERS}. */
  readonly name: string;
  /** Runtime to use. `auto` picks the best one that works. */
  readonly runtime: RuntimeName | "auto";
  /** Endpoint URL, model and key. Only used by `openai`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** Configuration without an embedder: search only uses words. */
export const NO_EMBEDDER: EmbedderConfig = {
  name: "none",
  runtime: "auto",
  url: "",
  model: "",
  key: undefined,
};

/** Returns the configured embedder, or `null` for `none`. Doesn't load anything yet. */
export function openEmbedder(config: EmbedderConfig): Embedder | null {
  if (isBuiltin(config.name)) return openBuiltin(config.name, config.runtime);
  return config.name === "openai" ? new OpenAiEmbedder(config) : null;
}

function openBuiltin(name: BuiltinName, runtime: EmbedderConfig["runtime"]): Embedder {
  return new BuiltinEmbedder(name, runtime === "auto" ? RUNTIMES : [runtime]);
}

/**
 * Returns the built-in embedder for this model id, or `null` if there is none. Keeps a previous
 * model's stored vectors searchable.
 */
export function openEmbedderForModel(modelId: string): Embedder | null {
  for (const [name, model] of Object.entries(BUILTIN_MODELS)) {
    if (!isBuiltin(name)) continue;
    if (model.id === modelId) return new BuiltinEmbedder(name, ["native", "wasm"]);
    if (model.table?.id === modelId) return new BuiltinEmbedder(name, ["static"]);
  }
  return null;
}
