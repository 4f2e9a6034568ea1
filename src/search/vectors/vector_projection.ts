/**
 * Keeps vectors up to date with the journal. New and rewritten texts are embedded in batches in the
 * background; nothing waits for the result.
 *
 * A batch reads part of the journal, embeds the texts that don't have a vector yet, and commits the
 * vectors, then the new position. After a crash, it's repeated with the same result. A trigger
 * deletes a vector when its text changes, so stale vectors are never stored.
 *
 * A model is activated once it has caught up for the first time. Only then are the previous model's
 * vectors removed; searches keep using them until that point. If the previous model is chosen again
 * before, the vectors of the other one are removed instead.
 */

import type { EmbeddingModel } from "../../embedding/embedder.ts";
import { describeError, type Log } from "../../kernel/log.ts";
import type { Timers } from "../../kernel/timers.ts";
import type { Store } from "../../store/store.ts";
import type { CurrentEmbedder } from "./current_embedder.ts";
import {
  activateModel,
  advanceModel,
  countPending,
  insertVector,
  journalEnd,
  listModels,
  type ModelRow,
  readJournalBatch,
  registerModel,
  removeModelBatch,
} from "./vector_store.ts";

/**
 * Number of journal entries and texts per batch. A batch of short texts takes about a quarter of a
 * second to embed on two cores. There can be one more text than entries, so that a batch full of
 * memories is known to be complete and isn't read a second time.
 */
const BATCH_LIMITS = { entries: 128, texts: 129 } as const;

/**
 * Number of vectors stored per transaction. Takes 3 ms of the event loop, which requests wait for.
 */
const STORED_VECTORS = 32;

/** Number of waiting texts that makes a large backlog. They take about three seconds on two cores. */
const LARGE_BACKLOG_TEXTS = 1_000;

/** Weight of the latest batch in the rate. Earlier batches weigh less and less. */
const RATE_WEIGHT = 0.3;

/** Number of an old model's vectors removed per transaction. */
const REMOVAL_BATCH_VECTORS = 500;

/**
 * How often to poll the journal without a notification, in case another process has written to it.
 */
const POLL_INTERVAL_MS = 1_000;

/** Maximum delay before a retry. The delay doubles with each failure. */
const MAX_RETRY_DELAY_MS = 60_000;

/** A write burst is at least this many journal entries within one poll. */
const WRITE_BURST = { entries: 20, pollMs: 100 } as const;

/** Time between two events about progress in the log, in milliseconds. */
const EVENT_INTERVAL_MS = 30_000;

/** Maximum time to wait for a burst to end. After that, a batch is embedded anyway. */
const MAX_BURST_WAIT_MS = 20_000;

/** Dependencies of the projection. */
export interface VectorProjectionDeps {
  readonly store: Store;
  readonly embedder: CurrentEmbedder;
  readonly timers: Timers;
  /** Replaces the embedder if another one has been chosen. Returns whether it did. */
  readonly replaceEmbedder: () => Promise<boolean>;
}

/** How far the vectors are behind. */
export interface VectorProgress {
  /** Number of memories and chunks that are still waiting for their vectors. */
  readonly pending: number;
  /** Texts embedded per second, recently; null if unknown, or if nothing is waiting. */
  readonly perSecond: number | null;
}

/** Follows the journal until stopped. */
export class VectorProjection {
  readonly #deps: VectorProjectionDeps;
  #model: { readonly model: EmbeddingModel; readonly row: ModelRow } | undefined;
  /** The configured model's stored row, as of startup. */
  #storedModel: ModelRow | undefined;
  /** Models that were abandoned before they were activated, as of startup. */
  #abandoned: readonly ModelRow[] = [];
  #position: number | undefined;
  /** End of the journal when last checked for a burst. */
  #lastJournalEnd: number | undefined;
  #running: Promise<void> | undefined;
  #runAgain = false;
  #log: Log | undefined;
  #started = false;
  #stopped = false;
  #failures = 0;
  #perSecond: number | null = null;
  #loggedAt = 0;
  #cancelTimer = () => {};
  #stopListening = () => {};

  constructor(deps: VectorProjectionDeps) {
    this.#deps = deps;
  }

  start(log: Log): void {
    this.#log = log;
    this.#stopped = false;
    // Another process may have continued in the meantime.
    this.#model = this.#storedModel = this.#position = undefined;
    this.#started = true;
    this.#stopListening = this.#deps.store.listen("journal", () => {
      if (this.#failures === 0) this.#trigger();
    });
    this.#trigger();
  }

  /** Stops the projection. Resolves once no batch is running. Close the embedder first. */
  async stop(): Promise<void> {
    this.#started = false;
    this.#stopped = true;
    this.#stopListening();
    this.#cancelTimer();
    await this.#running;
    this.#perSecond = null;
  }

  /** Replaces the embedder if another one was chosen, in a process that isn't embedding. */
  async checkEmbedder(): Promise<void> {
    if (!this.#started) await this.#deps.replaceEmbedder();
  }

  /**
   * Returns how many memories and chunks are still waiting for their vectors, and how fast they are
   * embedded.
   *
   * @param project number of the project, or null for all
   */
  async progress(project: number | null): Promise<VectorProgress> {
    const id = this.#model?.model.id ?? this.#deps.embedder.get().configuredModelId;
    const pending = await this.#deps.store.read((db) => countPending(db, id, project));
    return { pending, perSecond: pending === 0 ? null : this.#perSecond };
  }

  /** Returns whether a large backlog is being embedded right now. */
  async isEmbeddingBacklog(): Promise<boolean> {
    if (this.#perSecond === null) return false;
    return (await this.progress(null)).pending > LARGE_BACKLOG_TEXTS;
  }

  /** Kicks off a run, or schedules another if one is already in progress. */
  #trigger(): void {
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#runAgain = true;
      return;
    }
    this.#cancelTimer();
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#runAgain) {
        this.#runAgain = false;
        return this.#trigger();
      }
      const wait = Math.min(MAX_RETRY_DELAY_MS, POLL_INTERVAL_MS * 2 ** this.#failures);
      if (!this.#stopped) this.#cancelTimer = this.#deps.timers.after(wait, () => this.#trigger());
    });
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped && await this.#isBehind()) {
        if (await this.#skipTextless()) continue;
        await this.#waitOutBurst();
        if (!this.#stopped) await this.#embedBatch();
      }
      this.#failures = 0;
      this.#perSecond = null;
    } catch (error) {
      if (this.#stopped) return;
      this.#perSecond = null;
      if (this.#failures++ === 0) {
        this.#log?.warn("failed to embed texts", { error: describeError(error) });
      }
    }
  }

  /**
   * Waits for a write burst to end. Embedding a text costs fifty times as much as storing it and
   * competes for the same cores. Vectors can wait; clients that are writing can't.
   */
  async #waitOutBurst(): Promise<void> {
    const { store, timers } = this.#deps;
    for (
      let waited = 0;
      waited < MAX_BURST_WAIT_MS && !this.#stopped;
      waited += WRITE_BURST.pollMs
    ) {
      // A batch takes longer than a poll, so if few entries were added during the last batch, there
      // isn't a burst.
      const before = this.#lastJournalEnd;
      this.#lastJournalEnd = await store.read(journalEnd);
      if (before !== undefined && this.#lastJournalEnd - before < WRITE_BURST.entries) return;
      await new Promise<void>((resolve) => timers.after(WRITE_BURST.pollMs, resolve));
    }
  }

  async #isBehind(): Promise<boolean> {
    const { store } = this.#deps;
    if (await this.#deps.replaceEmbedder()) {
      this.#model = this.#storedModel = this.#position = undefined;
      this.#perSecond = null;
    }
    const embedder = this.#deps.embedder.get();
    if (this.#position === undefined) {
      const models = await store.read(listModels);
      this.#storedModel = models.find(({ id }) => id === embedder.configuredModelId);
      const isActive = this.#storedModel?.serving === 1;
      this.#abandoned = isActive ? models.filter((row) => row !== this.#storedModel) : [];
      // A model that isn't active yet is behind, regardless of its position.
      this.#position = isActive ? this.#storedModel!.position : -1;
    }
    const end = await store.journalEnd();
    if (end > this.#position) return true;
    await this.#removeModels(this.#abandoned);
    if (!this.#stopped) this.#abandoned = [];
    // The next changes are compared with this, so that a single one doesn't look like a burst.
    this.#lastJournalEnd = end;
    return false;
  }

  /**
   * Skips journal entries without texts, and does so without loading the model, to keep servers
   * small if they never embed anything.
   */
  async #skipTextless(): Promise<boolean> {
    if (this.#model !== undefined || this.#storedModel?.serving === 0) return false;
    const row = { number: this.#storedModel?.number ?? 0 };
    const after = Math.max(0, this.#position!);
    const last = await this.#deps.store.journalEnd();
    const { end, missing } = await this.#deps.store.read((db) =>
      readJournalBatch(db, row, { after, last }, { ...BATCH_LIMITS, texts: 1 })
    );
    if (missing.length > 0) return false;
    this.#position = end;
    return true;
  }

  async #embedBatch(): Promise<void> {
    const { store } = this.#deps;
    const embedder = this.#deps.embedder.get();
    const { model, row } = this.#model ??= await this.#registerModel();
    const start = performance.now();
    const after = Math.max(0, this.#position!);
    const last = await store.journalEnd();
    const { end, missing } = await store.read((db) =>
      readJournalBatch(db, row, { after, last }, BATCH_LIMITS)
    );
    const vectors = await embedder.embedPassages(missing.map(({ text }) => text));
    // A document can have many chunks, so this part of the journal is reread until all of them are
    // embedded.
    const position = missing.length < BATCH_LIMITS.texts ? end : after;
    const embedded = missing.map((item, index) => ({ ...item, vector: vectors[index]! }));
    for (const [project, items] of Map.groupBy(embedded, ({ project }) => project)) {
      for (let at = 0; at < items.length; at += STORED_VECTORS) {
        await store.write(project, async (tx) => {
          for (const item of items.slice(at, at + STORED_VECTORS)) {
            await insertVector(tx, row, item, item.vector, model.center);
          }
        });
      }
    }
    const caughtUp = await store.write("maintenance", async (tx) => {
      await advanceModel(tx, row, position);
      return await journalEnd(tx) === position;
    });
    this.#position = position;
    if (missing.length > 0) this.#updateRate(missing.length, performance.now() - start);
    await this.#logProgress();
    if (caughtUp) await this.#activateModel(row);
  }

  /** Logs the progress of long work now and then. */
  async #logProgress(): Promise<void> {
    if (performance.now() - this.#loggedAt < EVENT_INTERVAL_MS) return;
    this.#loggedAt = performance.now();
    const { pending, perSecond } = await this.progress(null);
    if (pending === 0 || perSecond === null) return;
    this.#log?.info("embedding texts", { pending, per_second: Math.ceil(perSecond) });
  }

  #updateRate(texts: number, milliseconds: number): void {
    const perSecond = texts / milliseconds * 1_000;
    this.#perSecond = RATE_WEIGHT * perSecond + (1 - RATE_WEIGHT) * (this.#perSecond ?? perSecond);
  }

  async #registerModel(): Promise<{ model: EmbeddingModel; row: ModelRow }> {
    const model = await this.#deps.embedder.get().model();
    const row = await this.#deps.store.write("maintenance", (tx) => registerModel(tx, model));
    this.#position = row.position;
    return { model, row };
  }

  /** Activates the model and removes earlier models' vectors. */
  async #activateModel(row: ModelRow): Promise<void> {
    const { store } = this.#deps;
    const models = await store.read(listModels);
    const old = models.filter((model) => model.number !== row.number);
    if (old.length === 0 && models[0]?.serving === 1) return;
    await store.write("maintenance", (tx) => activateModel(tx, row));
    this.#log?.info("vectors are up to date", { model: row.id });
    await this.#removeModels(old);
  }

  async #removeModels(models: readonly ModelRow[]): Promise<void> {
    for (const model of models) {
      while (
        !this.#stopped &&
        !await this.#deps.store.write(
          "maintenance",
          (tx) => removeModelBatch(tx, model, REMOVAL_BATCH_VECTORS),
        )
      ) { /* in batches, so that no writer waits long */ }
    }
  }
}
