/** The rules of inferred adds: one extraction, then everything that follows from it in one unit of work. */

import type { Actor } from "../contract/endpoint.ts";
import type { Foundation } from "../contract/foundation.ts";
import { timestamp } from "../kernel/clock.ts";
import { breathe, inSlices } from "../kernel/timers.ts";
import type { InferenceResult } from "../events/service.ts";
import type { MemoryClaim } from "../memories/claims.ts";
import type { RefinedMemories } from "../memories/refined.ts";
import { changedMemories, journalHead } from "../store/journal.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { ClaimedTask, TaskHandler } from "../tasks/handler.ts";
import { candidatesFor, type Reading, type Told, toldAt, toldLater } from "./candidates.ts";
import type { InferPayload } from "./command.ts";
import type { ActiveMemory } from "./compared.ts";
import {
  BUILTIN,
  BuiltinThreads,
  type EngineHealth,
  engineHealth,
  ENGINES,
  extractorOf,
  type InferenceConfig,
} from "./engine.ts";
import type { Extractor, RefinedFact } from "./extractor.ts";
import { ProviderError } from "./openai/errors.ts";
import { reconcile, reconciling } from "./reconcile.ts";
import { keyed, type Plan, writePlan } from "./write_plan.ts";

export { BUILTIN, ENGINES, type InferenceConfig };

/** Extractions that wait for their provider at the same time. */
const CONCURRENCY = 4;

const TIME_LIMIT_MS = 10 * 60_000;

/** Changes since a plan was made that are looked at one by one; after more of them it is made anew. */
const CHANGES_CHECKED = 500;

/** An inferred add, read. */
interface Found {
  readonly task: ClaimedTask;
  readonly payload: InferPayload;
  readonly facts: readonly RefinedFact[];
}

/** A plan, and the state of the journal that it holds for. */
interface KnownPlan extends Plan {
  readonly head: number;
}

/**
 * The service of the inference slice. An attempt extracts without touching storage; what it found
 * is reconciled and written together with the task's success, so that a worker that dies, at any
 * moment, leaves either nothing or everything.
 */
export class InferenceService {
  readonly #builtin = new BuiltinThreads();
  readonly #config: InferenceConfig;
  readonly #engine: Extractor;
  readonly #foundation: Foundation;
  readonly #memories: RefinedMemories;

  constructor(
    foundation: Foundation,
    memories: RefinedMemories,
    config: InferenceConfig = BUILTIN,
  ) {
    this.#config = config;
    this.#foundation = foundation;
    this.#memories = memories;
    this.#engine = extractorOf(config, this.#builtin, foundation.clock);
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

  /**
   * Works out beforehand what the facts do, giving way to requests in between: thousands of facts
   * against thousands of memories take a second, which no unit of work may.
   */
  async #plan(found: Found, signal: AbortSignal): Promise<KnownPlan> {
    const { store } = this.#foundation;
    const at = this.#anchorOf(found.payload);
    // First of all: what changes while the rest is read is then seen by the unit of work.
    const head = await store.read((db) => journalHead(db, found.task.project));
    const read: Reading = async (work) => {
      const answer = await store.read(work);
      await breathe();
      return answer;
    };
    const active = await this.#candidates(read, found, at);
    return {
      head,
      at,
      active,
      steps: await inSlices(reconciling(found.facts, active, at), signal),
    };
  }

  /** The plan, or a new one when the memories of the scope have changed since it was made. */
  async #stillTrue(tx: Tx, found: Found, plan: KnownPlan): Promise<Plan> {
    const { task: { project }, payload, facts } = found;
    const at = this.#anchorOf(payload);
    const changed = await changedMemories(tx, project, plan.head, CHANGES_CHECKED + 1);
    const planned = new Set(plan.active.map(({ id }) => id));
    if (changed.length <= CHANGES_CHECKED && !changed.some((id) => planned.has(id))) {
      const told = toldOf(found);
      const arrived = await this.#memories.holding(
        tx,
        project,
        payload,
        toldAt(told),
        new Set(changed),
      );
      // What was said again meanwhile has changed nothing, and yet is no longer the fact's to close.
      const closed = new Set(plan.steps.map((step) => step.kind === "invalidate" && step.id));
      const rows = plan.active.filter(({ id }) => closed.has(id));
      const repeated = await toldLater(tx, project, rows, told);
      if (arrived.length === 0 && repeated.size === 0) return plan;
    }
    const active = await this.#candidates((work) => work(tx), found, at);
    return { at, active, steps: reconcile(facts, active, at) };
  }

  #candidates(read: Reading, found: Found, at: string): Promise<readonly ActiveMemory[]> {
    const { task: { project }, payload, facts } = found;
    const told = toldOf(found);
    return candidatesFor(read, this.#memories, { project, scope: payload, facts, at, told });
  }

  /**
   * The instant at which known memories must hold, and at which they end. Without a date it is that
   * of writing and not that of the request: what a memory that came first is replaced by may have
   * been asked for before that one was written.
   */
  #anchorOf({ event_date }: InferPayload): string {
    return event_date ?? timestamp(this.#foundation.clock.now());
  }

  async #write(tx: Tx, found: Found, made: KnownPlan): Promise<InferenceResult> {
    const { task: { project, id: operation }, payload, facts } = found;
    const { project_id: projectId = "", request_id: requestId } = payload;
    const actor: Actor = { project, projectId, requestId };
    const plan = await this.#stillTrue(tx, found, made);
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

function toldOf({ task: { seq }, payload }: Found): Told {
  return { event_date: payload.event_date ?? null, requested_at: payload.requested_at, seq };
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
