/** The rules of inferred adds: one extraction, then everything that follows from it in one unit of work. */

import type { Actor } from "../contract/endpoint.ts";
import type { Scope } from "../contract/fields.ts";
import type { Foundation } from "../contract/foundation.ts";
import { timestamp } from "../kernel/clock.ts";
import { breathe, inSlices } from "../kernel/timers.ts";
import type { InferenceResult } from "../events/service.ts";
import type { MemoryClaim } from "../memories/claims.ts";
import type { RefinedMemories, RefinedMemory } from "../memories/refined.ts";
import type { WriteResult } from "../memories/schema.ts";
import { changedMemories, journalHead } from "../store/journal.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { ClaimedTask, TaskHandler } from "../tasks/handler.ts";
import { candidatesFor, type Reading, type Told, toldAt, toldLater } from "./candidates.ts";
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
import type { Claim, Extractor, Message, RefinedFact } from "./extractor.ts";
import { ProviderError } from "./openai/errors.ts";
import { reconcile, reconciling, type Step } from "./reconcile.ts";
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

/** Changes since a plan was made that are looked at one by one; after more of them it is made anew. */
const CHANGES_CHECKED = 500;

/** An inferred add, read. */
interface Found {
  readonly task: ClaimedTask;
  readonly payload: InferPayload;
  readonly facts: readonly RefinedFact[];
}

/** What facts do to the memories of their scope, and the state of the journal that this holds for. */
interface Plan {
  readonly head: number;
  /** The instant that it holds for. */
  readonly at: string;
  readonly active: readonly ActiveMemory[];
  readonly steps: readonly Step[];
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
  async #plan(found: Found, signal: AbortSignal): Promise<Plan> {
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
  async #stillTrue(tx: Tx, found: Found, plan: Plan): Promise<Omit<Plan, "head">> {
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

  async #write(tx: Tx, found: Found, made: Plan): Promise<InferenceResult> {
    const { task: { project, id: operation }, payload } = found;
    const { project_id: projectId = "", request_id: requestId, metadata } = payload;
    const actor: Actor = { project, projectId, requestId };
    const { at, active, steps } = await this.#stillTrue(tx, found, made);
    const late = new Set(steps.flatMap((step) => step.kind === "outdated" ? [step.fact] : []));
    const facts = found.facts.map((fact, index) =>
      late.has(index) ? sinceTold(fact, payload.requested_at) : fact
    );
    const added = steps.filter(({ kind }) => kind === "add");
    const additions = await this.#memories.addRefined(
      tx,
      actor,
      payload,
      metadata,
      added.map(({ fact }) => refinedMemory(facts[fact]!)),
      operation,
    );
    /** The memory that each fact has become. */
    const memoryOf = new Map(added.map(({ fact }, index) => [fact, additions[index]!]));
    const ends = new Map(active.map(({ id, valid_to }) => [id, valid_to]));
    const source = { kind: "inference", operation_id: operation } as const;
    const results: WriteResult[] = [];
    for (const step of steps) {
      if (step.kind === "drop") continue;
      if (step.kind === "add") results.push(memoryOf.get(step.fact)!);
      else if (step.kind === "update") {
        const refined = refinedMemory(facts[step.fact]!);
        const result = await this.#memories.enrich(tx, actor, step.id, refined, operation);
        memoryOf.set(step.fact, result);
        results.push(result);
      } else if (step.kind === "outdated") {
        if (step.by === null) continue;
        const { id } = memoryOf.get(step.fact)!;
        const end = endOf(facts[step.fact]!, step.valid_to);
        results.push(await this.#memories.invalidate(tx, actor, id, end, step.by, source));
      } else {
        const known = ends.get(step.id);
        // An end that is known and earlier stands.
        if (known && known <= step.valid_to) continue;
        const by = memoryOf.get(step.fact)!.id;
        const isDated = payload.event_date !== undefined || step.valid_to !== at;
        results.push(
          await this.#memories.invalidate(
            tx,
            actor,
            step.id,
            isDated ? step.valid_to : null,
            by,
            source,
          ),
        );
      }
    }
    const repeated = steps.flatMap((step) => step.kind === "drop" ? step.id ?? [] : []);
    const told = [...[...memoryOf.values()].map(({ id }) => id), ...repeated];
    await this.#memories.told(tx, actor, operation, payload.event_date ?? null, told);
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

/** A fact that comes late holds since its date, or since it was told, and not since it is written. */
function sinceTold(fact: RefinedFact, told: string): RefinedFact {
  return { ...fact, valid_from: fact.valid_from ?? fact.event_date ?? told };
}

/** Where a fact ends that was told before what is known: not before it began. */
function endOf({ valid_from, event_date }: RefinedFact, end: string | null): string | null {
  const start = valid_from ?? event_date;
  return end !== null && start !== null && end < start ? start : end;
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
