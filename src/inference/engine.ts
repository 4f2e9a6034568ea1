/**
 * Creates the configured inference engine, runs the builtin one in threads and reports its health.
 */

import type { Clock } from "../kernel/clock.ts";
import { WorkerClient } from "../kernel/worker_client.ts";
import type { Claim, ExtractedFact, ExtractionRequest, Extractor } from "./extractor.ts";
import { openaiExtractor } from "./openai/engine.ts";
import { NO_TAGGER, type TaggerConfig, type TaggerStatus } from "./tagger/opener.ts";
import type {
  ClaimsRequest,
  ClaimsResponse,
  FactsRequest,
  FactsResponse,
  WorkerName,
} from "./worker.ts";

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
 * Idle time before the thread for texts exits and frees its copy of the engine (28 MB). Restarting
 * it takes 0.4 s.
 */
const TEXTS_IDLE_MS = 60_000;

/**
 * Runs the builtin engine in separate threads. It takes 600 ms to warm up and 13 ms per kilobyte of
 * text, which would block the event loop. Adds and texts have a thread each, so adds don't wait for
 * an import's texts, which can take minutes. The latter runs at a lower priority.
 */
export class BuiltinWorkers implements Extractor {
  readonly name = "builtin";
  readonly #tagger: TaggerConfig;
  #status = NO_TAGGER;
  readonly #adds = createWorkerClient<FactsRequest, FactsResponse>("adds");
  readonly #texts = createWorkerClient<ClaimsRequest, ClaimsResponse>("texts", TEXTS_IDLE_MS);

  constructor(tagger: TaggerConfig = BUILTIN_CONFIG.tagger) {
    this.#tagger = tagger;
  }

  /** The tagger in use, known once a text was read. */
  get taggerStatus(): TaggerStatus {
    return this.#status;
  }

  async extract(request: ExtractionRequest): Promise<readonly ExtractedFact[]> {
    const { facts, tagger } = await this.#adds.request({ request, tagger: this.#tagger });
    this.#status = tagger;
    return facts;
  }

  /** Returns the claims in verbatim texts, in the same order. `date` is when a text was stated. */
  async claims(
    texts: readonly { readonly text: string; readonly date: string }[],
  ): Promise<readonly (readonly Claim[])[]> {
    if (texts.length === 0) return [];
    const { claims, tagger } = await this.#texts.request({ texts, tagger: this.#tagger });
    this.#status = tagger;
    return claims;
  }

  close(): void {
    this.#adds.close();
    this.#texts.close();
  }
}

function createWorkerClient<Request, Response>(
  name: WorkerName,
  idleMs?: number,
): WorkerClient<Request, Response> {
  return new WorkerClient(new URL("./worker.ts", import.meta.url), name, idleMs);
}

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
  return openaiExtractor({
    baseUrl: config.url,
    model: config.model,
    ...(config.apiKey === "" ? {} : { apiKey: config.apiKey }),
    timeoutMs: PROVIDER_TIMEOUT_MS,
    maxTokens: MAX_PROVIDER_TOKENS,
    now: () => clock.now(),
  });
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
