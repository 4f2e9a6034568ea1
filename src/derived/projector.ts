/**
 * Keeps the derived views up to date: follows the journal and extracts claims from verbatim texts.
 */

import { z } from "zod";
import type { AppContext } from "../contract/app_context.ts";
import { HOUR_MS, timestamp } from "../kernel/clock.ts";
import type { PeriodicJob } from "../kernel/process/periodic_job.ts";
import { delay, systemTimers } from "../kernel/timers.ts";
import {
  lastMemorySeq,
  type PendingText,
  pendingTexts,
  pendingTextsOf,
  type TextReader,
  writeTextReading,
} from "../memories/claims/pending_texts.ts";
import type { Reader, Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import { TurnOverError } from "../tasks/errors.ts";
import type { TaskContext, TaskHandler, TaskResult } from "../tasks/handler.ts";
import {
  parseProgress,
  type PayloadOf,
  type ProgressOf,
  taskHandler,
  taskType,
} from "../tasks/task_type.ts";
import { LagWatch } from "./lag_watch.ts";
import {
  advanceProgress,
  deleteEndedRuns,
  deleteProgress,
  journalAfter,
  laggingProjects,
  progressOf,
  setBuilt,
} from "./repository.ts";

/** How often to check for projects with lagging views. */
const POLL_INTERVAL_MS = 500;

/** Maximum number of projects queued per check. */
const PROJECTS_PER_POLL = 20;

/** Memories per step. Their claims are written in a single unit of work. */
const BATCH_MEMORIES = 50;

/** Journal entries per step. */
const BATCH_ENTRIES = 200;

/**
 * How long a run keeps other projects waiting, in milliseconds. Then it's released and goes on after
 * theirs: a large project takes hours to read.
 */
const TURN_MS = 10_000;

/**
 * How long a dead run keeps the next one from being queued. This leaves time to notice the failure,
 * while the views still recover eventually.
 */
const DEAD_RUN_BLOCK_MS = HOUR_MS;

/**
 * How long a step waits while a large import is being embedded, in milliseconds. People search what
 * they imported before they look at its views, and both would compete for the same cores.
 */
const BACKLOG_WAIT_MS = 2_000;

/** A run for views that lag behind. */
const DERIVE = taskType({
  kind: "derive",
  payload: z.object({
    /** Engine and version of the process that queued the run. If undefined, any can do it. */
    reader: z.string().optional(),
  }),
  /** Progress of a full build. */
  progress: z.object({
    after: z.int(),
    /**
     * Last memory when the build began. Later ones appear in the journal after `head`. Early
     * versions saved neither this nor the reader, so their builds begin again.
     */
    last: z.int().default(0),
    /** Last journal entry when the build began. The views follow the journal from there. */
    head: z.int(),
    /** Engine and version that reads the texts. Another one begins again. */
    reader: z.string().default(""),
  }).readonly(),
  concurrency: 1,
  timeLimitMs: HOUR_MS,
  resumable: true,
});

/** A run for a project whose derivation has just been enabled. */
const REBUILD = taskType({ ...DERIVE, kind: "rebuild" });

type DeriveContext = TaskContext<ScanProgress>;
type ScanProgress = ProgressOf<typeof DERIVE>;

/** Follows every project's journal. */
export class DerivedProjector {
  readonly #appContext: AppContext;
  readonly #texts: TextReader;
  readonly #isEmbeddingBacklog: () => Promise<boolean>;

  /** @param isEmbeddingBacklog returns whether a large import is being embedded */
  constructor(
    appContext: AppContext,
    texts: TextReader,
    isEmbeddingBacklog: () => Promise<boolean> = () => Promise.resolve(false),
  ) {
    this.#appContext = appContext;
    this.#texts = texts;
    this.#isEmbeddingBacklog = isEmbeddingBacklog;
  }

  /**
   * Returns the task handlers for derivation. Both follow the journal, building the views first if
   * they don't exist yet, or if another engine or version read their texts. In the latter case, they
   * stay readable, and each text keeps its old claims until it's read again.
   */
  handlers(): readonly TaskHandler[] {
    return [DERIVE, REBUILD].map((type) =>
      taskHandler(type, { run: (context, ...task) => this.#run(context, ...task) })
    );
  }

  /**
   * Discards a project's views and queues a rebuild if derivation was enabled. Must be called in
   * the same unit of work that changes the setting.
   */
  async onEnabledChange(tx: Tx, project: number, enabled: boolean): Promise<void> {
    await deleteProgress(tx, project);
    if (enabled) await enqueueTask(tx, this.#appContext, project, { type: REBUILD, payload: {} });
  }

  /** Returns the job that looks for lagging views while the process does this for all others. */
  periodicJob(): PeriodicJob {
    const watch = new LagWatch(this.#appContext, this.#texts.name);
    return {
      failureMessage: "queueing derivation failed",
      intervalMs: POLL_INTERVAL_MS,
      run: () => watch.run((projects) => this.enqueueLagging(projects)),
    };
  }

  /**
   * Queues a run for projects with lagging views.
   *
   * @param among the projects to check. Defaults to all of them
   * @returns up to 20 projects that lagged behind
   */
  async enqueueLagging(among: readonly number[] | null = null): Promise<readonly number[]> {
    const { store, clock } = this.#appContext;
    const dead = { now: clock.now(), blockedMs: DEAD_RUN_BLOCK_MS };
    const lagging = (db: Reader) =>
      laggingProjects(db, this.#texts.name, dead, PROJECTS_PER_POLL, among);
    const projects = await store.read(lagging);
    if (projects.length === 0) return [];
    const payload = { reader: this.#texts.name };
    await store.write("maintenance", async (tx) => {
      const stillLagging = new Set(await lagging(tx));
      for (const project of projects.filter((number) => stillLagging.has(number))) {
        const progress = parseProgress(DERIVE, await deleteEndedRuns(tx, project));
        await enqueueTask(tx, this.#appContext, project, { type: DERIVE, payload, progress });
      }
    });
    return projects;
  }

  async #run(
    context: DeriveContext,
    { reader = this.#texts.name }: PayloadOf<typeof DERIVE>,
    saved: ScanProgress | null,
  ): Promise<TaskResult> {
    const { store, clock } = this.#appContext;
    const turnEndsAt = clock.now() + TURN_MS;
    // The process that queued this reads texts in another way, e.g. during an upgrade. Two that
    // replaced each other's claims would never end. It queues the next run for its own version.
    if (reader !== this.#texts.name) return { result: { memories: 0 } };
    const initial = await store.read((db) => progressOf(db, context.task.project));
    const isBuilt = initial.position !== null && initial.reader === this.#texts.name;
    const built = initial.derivation === 1 && !isBuilt
      ? await this.#build(context, saved, turnEndsAt)
      : 0;
    return { result: { memories: built + await this.#follow(context, turnEndsAt) } };
  }

  /**
   * Extracts the claims from the texts that have changed since the views' position in the journal,
   * until nothing is left. Returns how many texts that were.
   */
  async #follow(context: DeriveContext, turnEndsAt: number): Promise<number> {
    const { project } = context.task;
    let memories = 0;
    for (;;) {
      const begun = performance.now();
      context.signal.throwIfAborted();
      const changes = await this.#nextChanges(project);
      if (changes === null) return memories;
      memories += await this.#processTexts(context, changes.texts);
      await context.commit(async (tx) => {
        await advanceProgress(tx, project, changes.position);
        // The next run starts at the stored position, so it must not pick up the previous build.
        await context.saveProgress(tx, null);
      });
      await this.#throttle(context.signal, begun, changes.texts.length);
      if (this.#appContext.clock.now() >= turnEndsAt) throw new TurnOverError();
    }
  }

  /**
   * Returns the texts of the next batch of journal entries, and the position after it. Null if there
   * are no more, or derivation has been disabled.
   */
  async #nextChanges(project: number) {
    const { store } = this.#appContext;
    const [current, entries] = await store.read(async (db) => {
      const progress = await progressOf(db, project);
      const after = progress.position ?? 0;
      return [progress, await journalAfter(db, project, after, BATCH_ENTRIES)] as const;
    });
    const last = entries.at(-1);
    if (current.derivation === 0 || current.position === null || last === undefined) return null;
    // Feedback doesn't change a memory.
    const changed = entries.filter(({ kind, change }) =>
      kind === "memory" && change !== "FEEDBACK"
    );
    const ids = [...new Set(changed.map(({ record_id }) => record_id))];
    const texts = await store.read((db) => pendingTextsOf(db, project, ids, this.#texts.name));
    return { texts, position: last.seq };
  }

  /**
   * Extracts the claims from all texts in a project. Returns how many texts that were. What changes in
   * the meantime is in the journal after the position that the views then have.
   */
  async #build(
    context: DeriveContext,
    saved: ScanProgress | null,
    turnEndsAt: number,
  ): Promise<number> {
    const { store, clock } = this.#appContext;
    const { project } = context.task;
    const reader = this.#texts.name;
    const initial = await store.read(async (db): Promise<ScanProgress> => {
      const { head } = await progressOf(db, project);
      return { after: 0, last: await lastMemorySeq(db), head, reader };
    });
    let progress = saved?.reader === reader ? saved : initial;
    let memories = 0;
    for (;;) {
      const begun = performance.now();
      context.signal.throwIfAborted();
      const { rows, next } = await store.read((db) =>
        pendingTexts(db, project, progress, BATCH_MEMORIES)
      );
      memories += await this.#processTexts(context, rows);
      if (next === null) break;
      progress = { ...progress, after: next[0] };
      const isTurnOver = clock.now() >= turnEndsAt;
      // Looking at these again costs less than a unit of work.
      if (rows.length === 0 && !isTurnOver) continue;
      await context.commit((tx) => context.saveProgress(tx, progress));
      await this.#throttle(context.signal, begun, rows.length);
      if (isTurnOver) throw new TurnOverError();
    }
    await context.commit((tx) => setBuilt(tx, project, progress.head, reader));
    return memories;
  }

  async #processTexts(context: DeriveContext, texts: readonly PendingText[]): Promise<number> {
    const { project } = context.task;
    for (let from = 0; from < texts.length; from += BATCH_MEMORIES) {
      const batch = texts.slice(from, from + BATCH_MEMORIES);
      let written = 0;
      // All of them at once, unless they can't be read together.
      for await (
        const readings of this.#texts.read(
          batch.map(({ memory: text, date }) => ({ text, date })),
          context.signal,
        )
      ) {
        const at = timestamp(this.#appContext.clock.now());
        const origin = { reader: this.#texts.name, at };
        await context.commit(async (tx) => {
          for (const [index, reading] of readings.entries()) {
            await writeTextReading(tx, project, batch[written + index]!, reading, origin);
          }
        });
        written += readings.length;
      }
    }
    return texts.length;
  }

  /**
   * Waits as long as the step took, up to one second, so a large import leaves at least half a core
   * for requests. Waits longer while a large import is being embedded.
   */
  async #throttle(signal: AbortSignal, begun: number, texts: number): Promise<void> {
    if (texts === 0) return;
    const took = Math.min(1_000, performance.now() - begun);
    const wait = await this.#isEmbeddingBacklog() ? BACKLOG_WAIT_MS : took;
    await delay(systemTimers, wait, signal);
  }
}
