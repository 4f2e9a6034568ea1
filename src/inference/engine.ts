/** The engine that is configured, where it runs, and whether it can. */

import type { Clock } from "../kernel/clock.ts";
import { WorkerClient } from "../kernel/worker_client.ts";
import type { Claim, ExtractedFact, ExtractionRequest, Extractor } from "./extractor.ts";
import { openaiExtractor } from "./openai/engine.ts";
import type {
  ClaimsRequest,
  ClaimsResponse,
  FactsRequest,
  FactsResponse,
  WorkerName,
} from "./worker.ts";

/** Engines by the names that configuration knows. */
export const ENGINES = ["builtin", "openai"] as const;

/** Which engine reads inferred adds, and how it is reached; the last three are for `openai`. */
export interface InferenceConfig {
  readonly engine: typeof ENGINES[number];
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
}

/** The engine that needs nothing but itself. */
export const BUILTIN_CONFIG: InferenceConfig = {
  engine: "builtin",
  url: "",
  model: "",
  apiKey: "",
};

/** How the engine is doing, as health shows it. */
export interface EngineHealth {
  readonly configured: boolean;
  readonly initialized: boolean;
  readonly code: string | null;
}

/** How long one call of a model may take: on a processor of its own it needs minutes. */
const PROVIDER_TIMEOUT_MS = 5 * 60_000;

/** An answer's most tokens: about a hundred facts with their claims. */
const MAX_PROVIDER_TOKENS = 16_384;

/** The engine is held twice (28 MB) no longer than this after the last text; a start takes .4 s. */
const TEXTS_IDLE_MS = 60_000;

/**
 * The builtin engine in threads of its own: it needs 600 ms to warm up and 13 ms for a kilobyte,
 * which the event loop can't spare. Adds and texts have a thread each, so that no add waits for the
 * texts of an import, which take minutes; these give way to whatever else the machine does.
 */
export class BuiltinWorkers implements Extractor {
  readonly name = "builtin";
  readonly #adds = createWorkerClient<FactsRequest, FactsResponse>("adds");
  readonly #texts = createWorkerClient<ClaimsRequest, ClaimsResponse>("texts", TEXTS_IDLE_MS);

  async extract(request: ExtractionRequest): Promise<readonly ExtractedFact[]> {
    const { facts } = await this.#adds.request({ request });
    return facts;
  }

  /** What verbatim texts claim, in their order; `date` is when each was told. */
  async claims(
    texts: readonly { readonly text: string; readonly date: string }[],
  ): Promise<readonly (readonly Claim[])[]> {
    if (texts.length === 0) return [];
    const { claims } = await this.#texts.request({ texts });
    return claims;
  }

  close(): void {
    this.#adds.close();
    this.#texts.close();
  }
}

function createWorkerClient<Q, A>(name: WorkerName, idleMs?: number): WorkerClient<Q, A> {
  return new WorkerClient(new URL("./worker.ts", import.meta.url), name, idleMs);
}

/** The engine of a configuration; the builtin one is the threads that are given. */
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

/** Told from the configuration alone: health makes no call. */
export function engineHealth(config: InferenceConfig): EngineHealth {
  const ready = config.engine === "builtin" || (config.url !== "" && config.model !== "");
  return {
    configured: ready,
    initialized: ready,
    code: ready ? null : "PROVIDER_NOT_CONFIGURED",
  };
}
