/**
 * Creates the configured inference engine, runs the builtin one in threads and reports its health.
 */

import type { Clock } from "../kernel/clock.ts";
import { BuiltinWorkers } from "./builtin_workers.ts";
import type { Extractor } from "./extractor.ts";
import type { TaggerConfig } from "./tagger/opener.ts";

/** Engine names in the configuration. */
export const ENGINES = ["builtin", "openai"] as const;

/** Engine configuration for inferred adds. Only `openai` uses `url`, `model` and `apiKey`. */
export interface InferenceConfig {
  readonly engine: typeof ENGINES[number];
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
  /** Tagger of the builtin engine, which also reads verbatim texts for the other one. */
  readonly tagger: TaggerConfig;
}

/** Configuration of the builtin engine with its default tagger. */
export const BUILTIN_CONFIG: InferenceConfig = {
  engine: "builtin",
  url: "",
  model: "",
  apiKey: "",
  tagger: { name: "minilm", builds: ["native", "wasm"] },
};

/** Engine state as reported by health. */
export interface EngineHealth {
  readonly configured: boolean;
  readonly initialized: boolean;
  readonly code: string | null;
}

/** Timeout per model call. Models running on a CPU need minutes. */
const PROVIDER_TIMEOUT_MS = 5 * 60_000;

/** Maximum number of response tokens, enough for about a hundred facts with their claims. */
const MAX_PROVIDER_TOKENS = 16_384;

/**
 * Returns the engine for a configuration.
 *
 * @param builtin used if the builtin engine is configured
 */
export function createExtractor(
  config: InferenceConfig,
  builtin: BuiltinWorkers,
  clock: Clock,
): Extractor {
  if (config.engine === "builtin") return builtin;
  const options = {
    baseUrl: config.url,
    model: config.model,
    ...(config.apiKey === "" ? {} : { apiKey: config.apiKey }),
    timeoutMs: PROVIDER_TIMEOUT_MS,
    maxTokens: MAX_PROVIDER_TOKENS,
    now: () => clock.now(),
  };
  // Most services don't use it, and it imports a part of the rules.
  let loaded: Promise<Extractor> | undefined;
  const load = () =>
    loaded ??= import("./openai/engine.ts").then(({ openaiExtractor }) => openaiExtractor(options));
  return {
    name: "openai",
    extract: async (request, signal) => await (await load()).extract(request, signal),
  };
}

/** Returns an engine's health. Only checks the configuration; no calls are made. */
export function engineHealth(config: InferenceConfig): EngineHealth {
  const isReady = config.engine === "builtin" || (config.url !== "" && config.model !== "");
  return {
    configured: isReady,
    initialized: isReady,
    code: isReady ? null : "PROVIDER_NOT_CONFIGURED",
  };
}
