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

import type { Embedder } from "../../embedding/embedder.ts";
import { describeError, type Log } from "../../kernel/log.ts";
import type { Timers } from "../../kernel/timers.ts";
import type { Store } from "../../store/store.ts";
import type { CurrentEmbedder } from "./current_embedder.ts";
import {
  activateModel,
  advanceModel,
  countPending,
  journalEnd,
  listModels,
  type ModelRow,
  registerModel,
  REMOVAL_BATCH_VECTORS,
  removeModelBatch,
} from "./vector_store.ts";
import { BATCH_LIMITS, type StoredModel, type VectorWriter } from "./vector_writer.ts";
import { WriteBurst } from "./write_burst.ts";

/** Number of waiting texts that makes a large backlog. They take about three seconds on two cores. */
const LARGE_BACKLOG_TEXTS = 1_000;

/**
 * How often to poll the journal without a notification, in case another process has written to it.
 */
const POLL_INTERVAL_MS = 1_000;

/** Maximum delay before a retry. The delay doubles with each failure. */
const MAX_RETRY_DELAY_MS = 60_000;

/** Time between two events about progress in the log, in milliseconds. */
const EVENT_INTERVAL_MS = 30_000;

/** Dependencies of the projection. */
export interface VectorProjectionDeps {
  readonly store: Store;
  readonly embedder: CurrentEmbedder;
  readonly timers: Timers;
  readonly writer: VectorWriter;
  /** Replaces the embedder if another one has been chosen. */
  readonly replaceEmbedder: () => Promise<unknown>;
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
  readonly #burst: WriteBurst;
  /** The embedder that the following fields are about. */
  #embedder: Embedder | undefined;
  #model: StoredModel | undefined;
  /** The configured model's stored row, as of startup. */
  #storedModel: ModelRow | undefined;
  /** Models that were abandoned before they were activated, as of startup. */
  #abandoned: readonly ModelRow[] = [];
  #position: number | undefined;
  #running: Promise<void> | undefined;
  #runAgain = false;
  #log: Log | undefined;
  #started = false;
  #stopped = false;
  #failures = 0;
  #loggedAt = 0;
  #cancelTimer = () => {};
  #stopListening = () => {};

  constructor(deps: VectorProjectionDeps) {
    this.#deps = deps;
    this.#burst = new WriteBurst(deps.store, deps.timers);
  }

  start(log: Log): void {
    this.#log = log;
    this.#stopped = false;
    // Another process may have continued in the meantime.
    this.#embedder = undefined;
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
    this.#deps.writer.resetRate();
  }

  /** Whether this process follows the journal. */
  get started(): boolean {
    return this.#started;
  }

  /**
   * Returns how many memories and chunks are still waiting for their vectors, and how fast they are
   * embedded.
   *
   * @param project number of the project, or null for all
   */
  async progress(project: number | null): Promise<VectorProgress> {
    const { store, writer } = this.#deps;
    const embedder = this.#deps.embedder.get();
    const id = embedder.status.model ?? embedder.configuredModelId;
    const pending = await store.read((db) => countPending(db, id, project));
    return { pending, perSecond: pending === 0 ? null : writer.perSecond };
  }

  /** Returns whether a large backlog is being embedded right now. */
  async isEmbeddingBacklog(): Promise<boolean> {
    if (this.#deps.writer.perSecond === null) return false;
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
        await this.#burst.waitOut(() => this.#stopped);
        if (!this.#stopped) await this.#embedBatch();
      }
      this.#failures = 0;
      this.#deps.writer.resetRate();
    } catch (error) {
      if (this.#stopped) return;
      this.#deps.writer.resetRate();
      // The model may have other dimensions now. It's registered again.
      this.#embedder = undefined;
      if (this.#failures++ === 0) {
        this.#log?.warn("failed to embed texts", { error: describeError(error) });
      }
    }
  }

  async #isBehind(): Promise<boolean> {
    const { store, replaceEmbedder, writer } = this.#deps;
    await replaceEmbedder();
    const embedder = this.#deps.embedder.get();
    if (embedder !== this.#embedder) {
      this.#embedder = embedder;
      this.#model = this.#storedModel = this.#position = undefined;
      writer.resetRate();
    }
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
    this.#burst.startFrom(end);
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
    const { read, missing } = await this.#deps.writer.read(row, { after, last }, {
      ...BATCH_LIMITS,
      texts: 1,
    });
    if (missing.length > 0) return false;
    this.#position = read.last;
    return true;
  }

  async #embedBatch(): Promise<void> {
    const { store, writer } = this.#deps;
    const embedder = this.#embedder!;
    const { model, row } = this.#model ??= await this.#registerModel(embedder);
    const after = Math.max(0, this.#position!);
    const last = await store.journalEnd();
    const { read, missing } = await writer.read(row, { after, last }, BATCH_LIMITS);
    const setAside = await writer.write(embedder, { model, row }, missing);
    if (setAside > 0) {
      this.#log?.warn("texts couldn't be embedded", { model: row.id, texts: setAside });
    }
    // A document can have many chunks, so this part of the journal is reread until all of them are
    // embedded.
    const position = missing.length < BATCH_LIMITS.texts ? read.last : after;
    const caughtUp = await store.write("maintenance", async (tx) => {
      await advanceModel(tx, row, position);
      return await journalEnd(tx) === position;
    });
    this.#position = position;
    if (position !== after) writer.forgetSetAside();
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

  async #registerModel(embedder: Embedder): Promise<StoredModel> {
    const model = await embedder.model();
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

  /** Removes models in batches, so that no writer waits long. */
  async #removeModels(models: readonly ModelRow[]): Promise<void> {
    for (const model of models) {
      for (let after: number | null = 0; after !== null && !this.#stopped;) {
        const from: number = after;
        after = await this.#deps.store.write(
          "maintenance",
          (tx) => removeModelBatch(tx, model, from, REMOVAL_BATCH_VECTORS),
        );
      }
    }
  }
}
