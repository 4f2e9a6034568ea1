/** The rules of inferred adds: one extraction, then everything that follows from it in one unit of work. */

import type { Actor } from "../contract/endpoint.ts";
import type { Scope } from "../contract/fields.ts";
import type { Foundation } from "../contract/foundation.ts";
import type { InferenceResult } from "../events/service.ts";
import type { MemoryClaim } from "../memories/claims.ts";
import type { RefinedMemories, RefinedMemory } from "../memories/refined.ts";
import type { WriteResult } from "../memories/schema.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { ClaimedTask, TaskHandler } from "../tasks/handler.ts";
import { candidatesFor } from "./candidates.ts";
import {
  BUILTIN,
  BuiltinThread,
  type EngineHealth,
  engineHealth,
  ENGINES,
  extractorOf,
  type InferenceConfig,
} from "./engine.ts";
import type { Claim, Extractor, Message, RefinedFact } from "./extractor.ts";
import { ProviderError } from "./openai/errors.ts";
import { reconcile } from "./reconcile.ts";
import { comparable } from "./vocabulary.ts";

export { BUILTIN, ENGINES, type InferenceConfig };

/** Extractions that wait for their provider at the same time. */
const CONCURRENCY = 4;

const TIME_LIMIT_MS = 10 * 60_000;

/** The command of an inferred add, as the queue keeps it. */
interface InferPayload extends Scope {
  readonly messages?: readonly Message[];
  readonly content?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly event_date?: string;
  readonly project_id?: string;
  readonly request_id: string;
  readonly requested_at: string;
}

/**
 * The service of the inference slice. An attempt extracts without touching storage; what it found
 * is reconciled and written together with the task's success, so that a worker that dies, at any
 * moment, leaves either nothing or everything.
 */
export class InferenceService {
  readonly #builtin = new BuiltinThread();
  readonly #config: InferenceConfig;
  readonly #engine: Extractor;
  readonly #memories: RefinedMemories;

  constructor(
    { clock }: Foundation,
    memories: RefinedMemories,
    config: InferenceConfig = BUILTIN,
  ) {
    this.#config = config;
    this.#memories = memories;
    this.#engine = extractorOf(config, this.#builtin, clock);
  }

  /** Makes no call: it tells what the configuration allows. */
  health(): EngineHealth {
    return engineHealth(this.#config);
  }

  /** How the queue does inferred adds. */
  handler(): TaskHandler {
    return {
      kind: "memory_infer",
      concurrency: CONCURRENCY,
      timeLimitMs: TIME_LIMIT_MS,
      timeoutCode: "PROVIDER_UNAVAILABLE",
      run: async ({ task, signal }) => {
        const payload = task.payload as InferPayload;
        const facts = await this.#extract(payload, signal);
        return async (tx) => ({ result: { ...await this.#write(tx, task, payload, facts) } });
      },
    };
  }

  /** What verbatim texts claim, in their order, as the builtin engine reads them. */
  async claims(
    texts: readonly { readonly text: string; readonly date: string }[],
  ): Promise<readonly (readonly MemoryClaim[])[]> {
    return (await this.#builtin.claims(texts)).map((claims) => claims.map(keyed));
  }

  close(): void {
    this.#builtin.close();
  }

  async #extract(payload: InferPayload, signal: AbortSignal): Promise<readonly RefinedFact[]> {
    const messages = payload.messages ?? [{ role: "user", content: payload.content ?? "" }];
    const { event_date: eventDate = null, requested_at: requestTime } = payload;
    try {
      return await this.#engine.extract({ messages, eventDate, requestTime }, signal);
    } catch (error) {
      throw asFailure(error, signal);
    }
  }

  async #write(
    tx: Tx,
    { project, id: operation }: ClaimedTask,
    payload: InferPayload,
    facts: readonly RefinedFact[],
  ): Promise<InferenceResult> {
    const { project_id: projectId = "", request_id: requestId } = payload;
    const actor: Actor = { project, projectId, requestId };
    const at = payload.event_date ?? payload.requested_at;
    const active = await candidatesFor(tx, this.#memories, project, payload, facts, at);
    const results: WriteResult[] = [];
    /** The memory that each fact has become. */
    const made = new Map<number, string>();
    const ends = new Map(active.map(({ id, valid_to }) => [id, valid_to]));
    for (const step of reconcile(facts, active, at)) {
      if (step.kind === "drop") continue;
      const refined = refinedMemory(facts[step.fact]!);
      if (step.kind === "add") {
        const { metadata } = payload;
        results.push(
          await this.#memories.addRefined(tx, actor, payload, metadata, refined, operation),
        );
      } else if (step.kind === "update") {
        results.push(await this.#memories.enrich(tx, actor, step.id, refined, operation));
      } else {
        const [known, by] = [ends.get(step.id), made.get(step.fact)!];
        // An end that is known and earlier stands.
        if (known && known <= step.valid_to) continue;
        results.push(
          await this.#memories.invalidate(tx, actor, step.id, step.valid_to, by, {
            kind: "inference",
            operation_id: operation,
          }),
        );
        continue;
      }
      made.set(step.fact, results.at(-1)!.id);
    }
    return {
      results,
      write_summary: {
        outcome: results.length === 0 ? "NO_MEMORY" : "STORED",
        planned: results.length,
        persisted: results.length,
        failed: 0,
      },
    };
  }
}

function refinedMemory(fact: RefinedFact): RefinedMemory {
  const { claims, sources, ...memory } = fact;
  return {
    ...memory,
    claims: claims.map(keyed),
    messages: [...new Set(sources)].sort((a, b) => a - b),
  };
}

function keyed(claim: Claim): MemoryClaim {
  return { ...claim, subject_key: comparable(claim.subject) };
}

/**
 * What ended an extraction, as the queue takes it. Only a provider's errors are known to be free of
 * the input; of anything else no more than its kind is kept.
 */
function asFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ProviderError) {
    const { code, message, retryable, retryAfterMs = 0 } = error;
    return new TaskError(code, message, { retryable, retryAfterMs });
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return new TaskError("INTERNAL_ERROR", `The inference engine failed (${kind})`);
}
