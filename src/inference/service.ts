/** The rules of inferred adds: one extraction, then everything that follows from it in one unit of work. */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { runInTimeSlices, yieldToEventLoop } from "../kernel/timers.ts";
import type { InferenceResult } from "../events/service.ts";
import type { MemoryClaim } from "../memories/claims.ts";
import type { InferredMemories } from "../memories/inferred.ts";
import { changedMemories, journalHead } from "../store/journal.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { ClaimedTask, TaskHandler } from "../tasks/handler.ts";
import {
  candidatesFor,
  type ObservationTime,
  observedAt,
  observedLater,
  type RunRead,
} from "./candidates.ts";
import type { InferPayload } from "./infer_payload.ts";
import type { ActiveMemory } from "./comparison.ts";
import {
  BUILTIN_CONFIG,
  BuiltinWorkers,
  createExtractor,
  type EngineHealth,
  engineHealth,
  ENGINES,
  type InferenceConfig,
} from "./engine.ts";
import type { ExtractedFact, Extractor } from "./extractor.ts";
import { ProviderError } from "./openai/errors.ts";
import { reconcile, reconcileSteps } from "./reconcile.ts";
import { type Plan, toMemoryClaim, writePlan } from "./write_plan.ts";

export { BUILTIN_CONFIG, ENGINES, type InferenceConfig };

/** Extractions that wait for their provider at the same time. */
const MAX_CONCURRENT_EXTRACTIONS = 4;

const TIME_LIMIT_MS = 10 * 60_000;

/** Changes since a plan was made that are looked at one by one; after more of them it is made anew. */
const MAX_CHECKED_CHANGES = 500;

/** An inferred add, read. */
interface ExtractedAdd {
  readonly task: ClaimedTask;
  readonly payload: InferPayload;
  readonly facts: readonly ExtractedFact[];
}

/** A plan, and the state of the journal that it holds for. */
interface PlanAtHead extends Plan {
  readonly head: number;
}

/**
 * The service of the inference slice. An attempt extracts without touching storage; what it found
 * is reconciled and written together with the task's success, so that a worker that dies, at any
 * moment, leaves either nothing or everything.
 */
export class InferenceService {
  readonly #builtin = new BuiltinWorkers();
  readonly #config: InferenceConfig;
  readonly #engine: Extractor;
  readonly #appContext: AppContext;
  readonly #memories: InferredMemories;

  constructor(
    appContext: AppContext,
    memories: InferredMemories,
    config: InferenceConfig = BUILTIN_CONFIG,
  ) {
    this.#config = config;
    this.#appContext = appContext;
    this.#memories = memories;
    this.#engine = createExtractor(config, this.#builtin, appContext.clock);
  }

  /** Makes no call: it tells what the configuration allows. */
  health(): EngineHealth {
    return engineHealth(this.#config);
  }

  /** How the queue does inferred adds. */
  handler(): TaskHandler {
    return {
      kind: "memory_infer",
      concurrency: MAX_CONCURRENT_EXTRACTIONS,
      timeLimitMs: TIME_LIMIT_MS,
      timeoutCode: "PROVIDER_UNAVAILABLE",
      run: async ({ task, signal }) => {
        const payload = task.payload as InferPayload;
        const found = { task, payload, facts: await this.#extract(payload, signal) };
        const plan = await this.#plan(found, signal);
        return async (tx) => ({ result: { ...await this.#write(tx, found, plan) } });
      },
    };
  }

  /** What verbatim texts claim, in their order, as the builtin engine reads them. */
  async claims(
    texts: readonly { readonly text: string; readonly date: string }[],
  ): Promise<readonly (readonly MemoryClaim[])[]> {
    return (await this.#builtin.claims(texts)).map((claims) => claims.map(toMemoryClaim));
  }

  close(): void {
    this.#builtin.close();
  }

  async #extract(payload: InferPayload, signal: AbortSignal): Promise<readonly ExtractedFact[]> {
    const messages = payload.messages ?? [{ role: "user", content: payload.content ?? "" }];
    const { event_date: eventDate = null, requested_at: requestTime } = payload;
    try {
      return await this.#engine.extract({ messages, eventDate, requestTime }, signal);
    } catch (error) {
      throw toTaskError(error, signal);
    }
  }

  /**
   * Works out beforehand what the facts do, giving way to requests in between: thousands of facts
   * against thousands of memories take a second, which no unit of work may.
   */
  async #plan(found: ExtractedAdd, signal: AbortSignal): Promise<PlanAtHead> {
    const { store } = this.#appContext;
    const at = this.#anchorTime(found.payload);
    // First of all: what changes while the rest is read is then seen by the unit of work.
    const head = await store.read((db) => journalHead(db, found.task.project));
    const read: RunRead = async (work) => {
      const answer = await store.read(work);
      await yieldToEventLoop();
      return answer;
    };
    const active = await this.#candidates(read, found, at);
    return {
      head,
      at,
      active,
      steps: await runInTimeSlices(reconcileSteps(found.facts, active, at), signal),
    };
  }

  /** The plan, or a new one when the memories of the scope have changed since it was made. */
  async #revalidate(tx: Tx, found: ExtractedAdd, plan: PlanAtHead): Promise<Plan> {
    const { task: { project }, payload, facts } = found;
    const at = this.#anchorTime(payload);
    const changed = await changedMemories(tx, project, plan.head, MAX_CHECKED_CHANGES + 1);
    const planned = new Set(plan.active.map(({ id }) => id));
    if (changed.length <= MAX_CHECKED_CHANGES && !changed.some((id) => planned.has(id))) {
      const observed = observationTimeOf(found);
      const arrived = await this.#memories.findActive(
        tx,
        project,
        payload,
        observedAt(observed),
        new Set(changed),
      );
      // What was said again meanwhile has changed nothing, and yet is no longer the fact's to close.
      const closed = new Set(plan.steps.map((step) => step.kind === "invalidate" && step.id));
      const rows = plan.active.filter(({ id }) => closed.has(id));
      const repeated = await observedLater(tx, project, rows, observed);
      if (arrived.length === 0 && repeated.size === 0) return plan;
    }
    const active = await this.#candidates((work) => work(tx), found, at);
    return { at, active, steps: reconcile(facts, active, at) };
  }

  #candidates(read: RunRead, found: ExtractedAdd, at: string): Promise<readonly ActiveMemory[]> {
    const { task: { project }, payload, facts } = found;
    const observed = observationTimeOf(found);
    return candidatesFor(read, this.#memories, { project, scope: payload, facts, at, observed });
  }

  /**
   * The instant at which known memories must hold, and at which they end. Without a date it is that
   * of writing and not that of the request: what a memory that came first is replaced by may have
   * been asked for before that one was written.
   */
  #anchorTime({ event_date }: InferPayload): string {
    return event_date ?? timestamp(this.#appContext.clock.now());
  }

  async #write(tx: Tx, found: ExtractedAdd, planned: PlanAtHead): Promise<InferenceResult> {
    const { task: { project, id: operation }, payload, facts } = found;
    const { project_id: projectId = "", request_id: requestId } = payload;
    const actor: Actor = { project, projectId, requestId };
    const plan = await this.#revalidate(tx, found, planned);
    const results = await writePlan(this.#memories, { tx, actor, operation, payload, facts }, plan);
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

function observationTimeOf({ task: { seq }, payload }: ExtractedAdd): ObservationTime {
  return { event_date: payload.event_date ?? null, requested_at: payload.requested_at, seq };
}

/**
 * What ended an extraction, as the queue takes it. Only a provider's errors are known to be free of
 * the input; of anything else no more than its kind is kept.
 */
function toTaskError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ProviderError) {
    const { code, message, retryable, retryAfterMs = 0 } = error;
    return new TaskError(code, message, { retryable, retryAfterMs });
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return new TaskError("INTERNAL_ERROR", `The inference engine failed (${kind})`);
}
