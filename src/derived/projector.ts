/** Keeps the derived views in step: reads the claims out of verbatim texts, along the journal. */

import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import type { PeriodicJob } from "../kernel/periodic_job.ts";
import { delay, systemTimers } from "../kernel/timers.ts";
import type { MemoryClaim, PendingText } from "../memories/claims.ts";
import {
  lastMemorySeq,
  pendingTexts,
  pendingTextsOf,
  writeTextClaims,
} from "../memories/claims.ts";
import type { Reader, Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import type { TaskContext, TaskHandler, TaskResult } from "../tasks/handler.ts";
import {
  advanceProgress,
  deleteEndedRuns,
  deleteProgress,
  journalAfter,
  laggingProjects,
  progressOf,
  setBuilt,
} from "./repository.ts";

/** How often to look for projects that lag behind. */
const POLL_INTERVAL_MS = 500;

/** Projects that are queued at one look. */
const PROJECTS_PER_POLL = 20;

/** Memories of one step, whose claims are written in one unit of work. */
const BATCH_MEMORIES = 50;

/** Entries of the journal that one step follows. */
const BATCH_ENTRIES = 200;

const TIME_LIMIT_MS = 60 * 60_000;

/** How long a run that is dead holds up the next: someone may see it, and views don't stop for good. */
const DEAD_RUN_BLOCK_MS = 60 * 60_000;

/** Reads the claims of verbatim texts, in their order. */
export type ClaimExtractor = (
  texts: readonly { readonly text: string; readonly date: string }[],
) => Promise<readonly (readonly MemoryClaim[])[]>;

/** How far a full walk has come. */
interface ScanProgress {
  readonly after: number;
  /** The last memory when the walk began: those that came later are the journal's to tell of. */
  readonly last: number;
  /** The journal's head when the walk began: from there on changes are followed. */
  readonly head: number;
}

/** Follows the journal of every project. */
export class DerivedProjector {
  readonly #appContext: AppContext;
  readonly #extractClaims: ClaimExtractor;

  constructor(appContext: AppContext, extractClaims: ClaimExtractor) {
    this.#appContext = appContext;
    this.#extractClaims = extractClaims;
  }

  /** How the queue does derivation: `derive` follows, or builds what isn't built; `rebuild` builds. */
  handlers(): readonly TaskHandler[] {
    const common = { concurrency: 1, timeLimitMs: TIME_LIMIT_MS, resumable: true };
    return [
      { ...common, kind: "derive", run: (context) => this.#run(context) },
      { ...common, kind: "rebuild", run: (context) => this.#run(context) },
    ];
  }

  /** Part of the unit of work that switches derived views on or off: on again, they are rebuilt. */
  async onEnabledChange(tx: Tx, project: number, enabled: boolean): Promise<void> {
    await deleteProgress(tx, project);
    if (enabled) await enqueueTask(tx, this.#appContext, project, { kind: "rebuild", payload: {} });
  }

  /** Looks for projects that lag behind, for as long as a server runs. */
  periodicJob(): PeriodicJob {
    return {
      failureMessage: "derivation was not queued",
      intervalMs: POLL_INTERVAL_MS,
      run: () => this.enqueueLagging(),
    };
  }

  /** Queues a run for every project that lags behind. */
  async enqueueLagging(): Promise<void> {
    const { store, clock } = this.#appContext;
    const deadBefore = timestamp(clock.now() - DEAD_RUN_BLOCK_MS);
    const lagging = (db: Reader) => laggingProjects(db, deadBefore, PROJECTS_PER_POLL);
    const projects = await store.read(lagging);
    if (projects.length === 0) return;
    await store.write(async (tx) => {
      const still = new Set(await lagging(tx));
      for (const project of projects.filter((each) => still.has(each))) {
        await deleteEndedRuns(tx, project);
        await enqueueTask(tx, this.#appContext, project, { kind: "derive", payload: {} });
      }
    });
  }

  async #run(context: TaskContext): Promise<TaskResult> {
    const { project } = context.task;
    const { store } = this.#appContext;
    const place = await store.read((db) => progressOf(db, project));
    let memories = 0;
    if (place.derivation === 1 && place.position === null) memories += await this.#build(context);
    for (;;) {
      const begun = performance.now();
      context.signal.throwIfAborted();
      const [now, entries] = await store.read(async (db) => {
        const at = await progressOf(db, project);
        return [at, await journalAfter(db, project, at.position ?? 0, BATCH_ENTRIES)] as const;
      });
      const last = entries.at(-1);
      if (now.derivation === 0 || now.position === null || last === undefined) break;
      // A rating leaves the memory as it is.
      const changed = entries.filter(({ kind, change }) =>
        kind === "memory" && change !== "FEEDBACK"
      );
      const ids = [...new Set(changed.map(({ record_id }) => record_id))];
      const texts = await store.read((db) => pendingTextsOf(db, project, ids));
      memories += await this.#processTexts(context, texts);
      await context.commit(async (tx) => {
        await advanceProgress(tx, project, last.seq);
        // Whoever comes next begins at the place, and needs no progress of the walk before it.
        await context.saveProgress(tx, null);
      });
      await throttle(context.signal, begun, texts.length);
    }
    return { result: { memories } };
  }

  /** Reads every text that the project has; what comes or changes meanwhile is followed then. */
  async #build(context: TaskContext): Promise<number> {
    const { store } = this.#appContext;
    const { project } = context.task;
    const begin = await store.read(async (db): Promise<ScanProgress> => {
      const { head } = await progressOf(db, project);
      return { after: 0, last: await lastMemorySeq(db), head };
    });
    // A walk that an earlier build began knows no last memory: that of now will do.
    let progress = { ...begin, ...context.task.progress as Partial<ScanProgress> | null };
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
      await context.commit((tx) => context.saveProgress(tx, progress));
      await throttle(context.signal, begun, rows.length);
    }
    await context.commit((tx) => setBuilt(tx, project, progress.head));
    return memories;
  }

  async #processTexts(context: TaskContext, texts: readonly PendingText[]): Promise<number> {
    const { project } = context.task;
    for (let from = 0; from < texts.length; from += BATCH_MEMORIES) {
      const some = texts.slice(from, from + BATCH_MEMORIES);
      const claims = await this.#extractClaims(
        some.map(({ memory: text, date }) => ({ text, date })),
      );
      await context.commit(async (tx) => {
        for (const [index, text] of some.entries()) {
          await writeTextClaims(tx, project, text, claims[index] ?? []);
        }
      });
    }
    return texts.length;
  }
}

/** Rests as long as a step took: a large import leaves at least half a core to the requests. */
async function throttle(signal: AbortSignal, begun: number, texts: number): Promise<void> {
  if (texts === 0) return;
  await delay(systemTimers, Math.min(1_000, performance.now() - begun), signal);
}
