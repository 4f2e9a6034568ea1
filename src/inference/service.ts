/** Processes inferred adds: one extraction, then all resulting changes in a single unit of work. */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { runInTimeSlices, yieldToEventLoop } from "../kernel/timers.ts";
import type { InferenceWarning } from "../events/schema.ts";
import type { InferenceResult } from "../events/service.ts";
import { INFER, type InferPayload } from "../memories/infer_task.ts";
import type { TextReader } from "../memories/claims/pending_texts.ts";
import { listUnread, setAside, type UnreadText } from "../memories/claims/unread_texts.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../kernel/http/page.ts";
import type { Explanation } from "./explanation_schema.ts";
import type { InferredMemories } from "../memories/claims/inferred.ts";
import { changedMemories, journalHead } from "../store/journal.ts";
import type { Tx } from "../store/store.ts";
import { TaskError } from "../tasks/errors.ts";
import type { ClaimedTask, TaskHandler } from "../tasks/handler.ts";
import { taskHandler } from "../tasks/task_type.ts";
import {
  candidatesFor,
  type ObservationTime,
  observedAt,
  observedLater,
  type RunRead,
} from "./candidates.ts";
import type { ActiveMemory } from "./comparison.ts";
import { BuiltinWorkers } from "./builtin_workers.ts";
import {
  BUILTIN_CONFIG,
  createExtractor,
  type EngineHealth,
  engineHealth,
  ENGINES,
  type InferenceConfig,
} from "./engine.ts";
import type { ExtractedFact, Extraction, Extractor, UnreadMessage } from "./extractor.ts";
import { ProviderError } from "./openai/errors.ts";
import { reconcile, reconcileSteps } from "./reconcile.ts";
import type { TaggerConfig, TaggerStatus } from "./tagger/opener.ts";
import { type Plan, toMemoryClaim, writePlan } from "./write_plan.ts";

export { BUILTIN_CONFIG, ENGINES, type InferenceConfig, type TaggerConfig };

/**
 * Maximum number of changes since the plan to check one by one. Beyond that, we make a new plan.
 */
const MAX_CHECKED_CHANGES = 500;

/** An inferred add and the facts extracted from it. */
interface ExtractedAdd {
  readonly task: ClaimedTask;
  readonly payload: InferPayload;
  readonly facts: readonly ExtractedFact[];
  readonly unread: readonly UnreadMessage[];
}

/** A plan and the journal position it was made at. */
interface PlanAtHead extends Plan {
  readonly head: number;
}

/**
 * Inference service. An attempt first extracts facts without writing anything. They're then
 * reconciled and written in the same unit of work as the task's success, so a crash at any point
 * leaves either all of the changes or none.
 */
export class InferenceService {
  readonly #builtin: BuiltinWorkers;
  readonly #config: InferenceConfig;
  readonly #engine: Extractor;
  readonly #appContext: AppContext;
  readonly #memories: InferredMemories;

  constructor(
    appContext: AppContext,
    memories: InferredMemories,
    config: InferenceConfig = BUILTIN_CONFIG,
  ) {
    this.#builtin = new BuiltinWorkers(config);
    this.#config = config;
    this.#appContext = appContext;
    this.#memories = memories;
    this.#engine = createExtractor(config, this.#builtin, appContext.clock);
  }

  /** Returns the engine's health without calling it. */
  health(): EngineHealth {
    return engineHealth(this.#config);
  }

  /** Returns which tagger is in use. */
  taggerStatus(): TaggerStatus {
    return this.#builtin.taggerStatus;
  }

  /** Returns texts that couldn't be read, in the order of their records. */
  unread(project: number, page: PageFields): Promise<Page<UnreadText>> {
    const { store, cursors } = this.#appContext;
    return store.read((db) =>
      paginate(
        cursors,
        { ...page, list: ["unread texts", project] },
        (after: readonly [string, number] | null, count) => listUnread(db, project, after, count),
        ({ record_id, position }) => [record_id, position],
        (text) => text,
      )
    );
  }

  /**
   * Explains what the builtin engine reads in a text.
   *
   * @throws ApiError INVALID_REQUEST if the text exceeds a limit, INTERNAL_ERROR if reading it fails
   */
  async explain(text: string): Promise<Explanation> {
    const date = timestamp(this.#appContext.clock.now());
    const explanation = await this.#builtin.explain({ text, date });
    if (!("unread" in explanation)) return explanation;
    const message = `The text can't be read (${explanation.unread})`;
    const isTextAtFault = explanation.unread === "OUTPUT_LIMIT" ||
      explanation.unread === "DEPTH_LIMIT";
    throw isTextAtFault ? invalidField("text", message) : new ApiError("INTERNAL_ERROR", message);
  }

  /** Returns the task handler for inferred adds. */
  handler(): TaskHandler {
    return taskHandler(INFER, {
      run: async ({ task, signal }, payload) => {
        const add = { task, payload, ...await this.#extract(payload, signal) };
        const plan = await this.#plan(add, signal);
        return async (tx) => ({ result: { ...await this.#write(tx, add, plan) } });
      },
    });
  }

  /** Reads the claims of verbatim texts with the builtin engine. */
  textReader(): TextReader {
    const builtin = this.#builtin;
    return {
      name: builtin.reader,
      read: async function* (texts, signal) {
        for await (const readings of builtin.claims(texts, signal)) {
          yield readings.map((reading) =>
            "claims" in reading ? { claims: reading.claims.map(toMemoryClaim) } : reading
          );
        }
      },
    };
  }

  close(): void {
    this.#builtin.close();
  }

  /** Name of the engine for inferred adds, as recorded with messages that it can't read. */
  get #reader(): string {
    return this.#config.engine === "builtin" ? this.#builtin.reader : this.#config.engine;
  }

  async #extract(payload: InferPayload, signal: AbortSignal): Promise<Extraction> {
    const messages = payload.messages ?? [{ role: "user", content: payload.content ?? "" }];
    const { event_date: eventDate = null, requested_at: requestTime } = payload;
    try {
      return await this.#engine.extract({ messages, eventDate, requestTime }, signal);
    } catch (error) {
      throw toTaskError(error, signal);
    }
  }

  /**
   * Plans the changes ahead of the unit of work, yielding to requests in between. Thousands of
   * facts and memories take a second, too long for a unit of work.
   */
  async #plan(add: ExtractedAdd, signal: AbortSignal): Promise<PlanAtHead> {
    const { store } = this.#appContext;
    const at = this.#anchorTime(add.payload);
    // Read the journal position first, so the unit of work detects changes made while we read the
    // rest.
    const head = await store.read((db) => journalHead(db, add.task.project));
    const read: RunRead = async (work) => {
      const result = await store.read(work);
      await yieldToEventLoop();
      return result;
    };
    const active = await this.#candidates(read, add, at);
    return {
      head,
      at,
      active,
      steps: await runInTimeSlices(reconcileSteps(add.facts, active, at), signal),
    };
  }

  /** Returns the plan, or a new one if memories in the scope have changed since. */
  async #revalidate(tx: Tx, add: ExtractedAdd, plan: PlanAtHead): Promise<Plan> {
    const { task: { project }, payload, facts } = add;
    const at = this.#anchorTime(payload);
    const changed = await changedMemories(tx, project, plan.head, MAX_CHECKED_CHANGES + 1);
    const planned = new Set(plan.active.map(({ id }) => id));
    if (changed.length <= MAX_CHECKED_CHANGES && !changed.some((id) => planned.has(id))) {
      const observed = observationTimeOf(add);
      const newlyActive = await this.#memories.findActive(
        tx,
        project,
        payload,
        observedAt(observed),
        new Set(changed),
      );
      // A repeated statement doesn't change any memory, but the fact must no longer close that
      // memory.
      const closedIds = new Set(plan.steps.map((step) => step.kind === "invalidate" && step.id));
      const rows = plan.active.filter(({ id }) => closedIds.has(id));
      const repeated = await observedLater(tx, project, rows, observed);
      if (newlyActive.length === 0 && repeated.size === 0) return plan;
    }
    const active = await this.#candidates((work) => work(tx), add, at);
    return { at, active, steps: reconcile(facts, active, at) };
  }

  #candidates(read: RunRead, add: ExtractedAdd, at: string): Promise<readonly ActiveMemory[]> {
    const { task: { project }, payload, facts } = add;
    const observed = observationTimeOf(add);
    return candidatesFor(read, this.#memories, { project, scope: payload, facts, at, observed });
  }

  /**
   * Returns the instant at which existing memories must be active, and at which they end. Without
   * an event date, this is the time of writing rather than of the request, since a memory written
   * first can have been requested later.
   */
  #anchorTime({ event_date }: InferPayload): string {
    return event_date ?? timestamp(this.#appContext.clock.now());
  }

  async #write(tx: Tx, add: ExtractedAdd, planned: PlanAtHead): Promise<InferenceResult> {
    const { task: { project, id: operation }, payload, facts, unread } = add;
    const { project_id: projectId = "", request_id: requestId } = payload;
    const actor: Actor = { project, projectId, requestId };
    const plan = await this.#revalidate(tx, add, planned);
    const results = await writePlan(this.#memories, { tx, actor, operation, payload, facts }, plan);
    const at = timestamp(this.#appContext.clock.now());
    for (const { message: position, code } of unread) {
      await setAside(tx, project, {
        record_id: operation,
        position,
        reader: this.#reader,
        code,
        at,
      });
    }
    return {
      results,
      write_summary: {
        outcome: results.length === 0 ? "NO_MEMORY" : "STORED",
        planned: results.length,
        persisted: results.length,
        failed: 0,
      },
      ...(unread.length === 0 ? {} : { warnings: warningsOf(unread) }),
    };
  }
}

/** One warning per cause, with the positions of the messages. */
function warningsOf(unread: readonly UnreadMessage[]): InferenceWarning[] {
  const codes = [...new Set(unread.map(({ code }) => code))];
  return codes.map((code) => {
    const messages = unread.filter((one) => one.code === code).map(({ message }) => message);
    return { code: "MESSAGES_UNREAD" as const, reason: code, messages };
  });
}

function observationTimeOf({ task: { seq }, payload }: ExtractedAdd): ObservationTime {
  return { event_date: payload.event_date ?? null, requested_at: payload.requested_at, seq };
}

/**
 * Converts an extraction error for the task queue. Only provider error messages are known not to
 * contain any input, so others are reduced to their names.
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
