/** Creates embedders from the configuration. */

import { BUILTIN_MODELS, type BuiltinName, isBuiltin } from "./builtin_models.ts";
import { BuiltinEmbedder } from "./builtin.ts";
import type { Embedder } from "./embedder.ts";
import { OpenAiEmbedder } from "./openai.ts";
import { type RuntimeName, RUNTIMES } from "./worker_messages.ts";

/** Values that `--embedder` accepts. */
export const EMBEDDERS = ["none", ...Object.keys(BUILTIN_MODELS), "openai"] as const;

/** Configuration of an embedder. */
export interface EmbedderConfig {
  /** One of {@link EMBEDDERS}. */
  readonly name: string;
  /** Runtime to use. `auto` selects the best one that works. */
  readonly runtime: RuntimeName | "auto";
  /** URL, model and key of the endpoint, for `openai` only. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** Configuration without an embedder. Search uses words only. */
export const NO_EMBEDDER: EmbedderConfig = {
  name: "none",
  runtime: "auto",
  url: "",
  model: "",
  key: undefined,
};

/** Returns the configured embedder, or `null` for `none`. Nothing is loaded yet. */
export function openEmbedder(config: EmbedderConfig): Embedder | null {
  if (isBuiltin(config.name)) return openBuiltin(config.name, config.runtime);
  return config.name === "openai" ? new OpenAiEmbedder(config) : null;
}

function openBuiltin(name: BuiltinName, runtime: EmbedderConfig["runtime"]): Embedder {
  return new BuiltinEmbedder(name, runtime === "auto" ? RUNTIMES : [runtime]);
}

/**
 * Returns the built-in embedder that computes vectors with this model id, or `null` if there is
 * none. Stored vectors of a previous model stay searchable this way.
 */
export function openEmbedderForModel(modelId: string): Embedder | null {
  for (const [name, model] of Object.entries(BUILTIN_MODELS)) {
    if (!isBuiltin(name)) continue;
    if (model.id === modelId) return new BuiltinEmbedder(name, ["native", "wasm"]);
    if (model.table?.id === modelId) return new BuiltinEmbedder(name, ["static"]);
  }
  return null;
}
