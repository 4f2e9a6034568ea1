/**
 * Vectors follow the journal: what was added or rewritten is embedded in the background, in
 * batches, and nothing waits for it.
 *
 * A batch reads a stretch of the journal, embeds the texts that have no vector, and writes vectors
 * and the new place in one unit of work; a crash anywhere means doing the batch again, with the
 * same result. Since a vector goes with its text (by trigger), nothing stale is ever kept.
 *
 * A model that has caught up for the first time is put to service, and only then are the vectors
 * of the model before it removed: until then searches go on with those.
 */

import type { Embedder, EmbeddingModel } from "../../embedding/embedder.ts";
import { describeError, type Log } from "../../kernel/log.ts";
import type { Timers } from "../../kernel/timers.ts";
import type { Store } from "../../store/store.ts";
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

/** Entries of the journal a batch, and texts: these take about half a second to embed. */
const BATCH_LIMITS = { entries: 64, texts: 64 } as const;

/** Vectors of an old model that are removed in one unit of work. */
const REMOVAL_BATCH_VECTORS = 500;

/** How often the journal is looked at without a notice: another process may have written. */
const POLL_INTERVAL_MS = 1_000;

/** After a failure the next try waits, longer each time, up to a minute. */
const MAX_RETRY_DELAY_MS = 60_000;

/** A rush of writes: so many entries of the journal within a look of so many milliseconds. */
const WRITE_BURST = { entries: 20, pollMs: 100 } as const;

/** A rush is given way for at most this long; then a batch is embedded beside it. */
const MAX_BURST_WAIT_MS = 20_000;

/** What the projection stands on. */
export interface VectorProjectionDeps {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly timers: Timers;
}

/** Follows the journal until it is stopped. */
export class VectorProjection {
  readonly #deps: VectorProjectionDeps;
  #model: { readonly model: EmbeddingModel; readonly row: ModelRow } | undefined;
  /** The row of the model as it is meant to be, as it was found at the start. */
  #storedModel: ModelRow | undefined;
  #position: number | undefined;
  /** The end of the journal when it was last looked at for a rush. */
  #lastJournalEnd: number | undefined;
  #running: Promise<void> | undefined;
  #runAgain = false;
  #log: Log | undefined;
  #stopped = false;
  #failures = 0;
  #cancelTimer = () => {};
  #stopListening = () => {};

  constructor(deps: VectorProjectionDeps) {
    this.#deps = deps;
  }

  start(log: Log): void {
    this.#log = log;
    this.#stopped = false;
    this.#stopListening = this.#deps.store.listen("journal", () => {
      if (this.#failures === 0) this.#trigger();
    });
    this.#trigger();
  }

  /** Resolves when nothing of it runs any more. The embedder must be closed first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    this.#cancelTimer();
    await this.#running;
  }

  /** How many memories and chunks of a project, or of all, wait for their vectors. */
  pending(project: number | null): Promise<number> {
    const id = this.#model?.model.id ?? this.#deps.embedder.configuredModelId;
    return this.#deps.store.read((db) => countPending(db, id, project));
  }

  /** One run at a time; a notice during one makes another follow. */
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
    } catch (error) {
      if (this.#stopped) return;
      if (this.#failures++ === 0) {
        this.#log?.warn("texts were not embedded", { error: describeError(error) });
      }
    }
  }

  /**
   * Lets a rush of writes pass. To embed a text costs fifty times what it costs to store it, on the
   * same cores, and its vector can wait; those who write can't.
   */
  async #waitOutBurst(): Promise<void> {
    const { store, timers } = this.#deps;
    for (
      let waited = 0;
      waited < MAX_BURST_WAIT_MS && !this.#stopped;
      waited += WRITE_BURST.pollMs
    ) {
      // A batch takes longer than a look: where little came in beside the last one, there is no rush.
      const before = this.#lastJournalEnd;
      this.#lastJournalEnd = await store.read(journalEnd);
      if (before !== undefined && this.#lastJournalEnd - before < WRITE_BURST.entries) return;
      await new Promise<void>((resolve) => timers.after(WRITE_BURST.pollMs, resolve));
    }
  }

  async #isBehind(): Promise<boolean> {
    const { store, embedder } = this.#deps;
    if (this.#position === undefined) {
      const models = await store.read(listModels);
      this.#storedModel = models.find(({ id }) => id === embedder.configuredModelId);
      // A model that has to be put to service yet is behind, wherever it has come to.
      this.#position = this.#storedModel?.serving === 1 ? this.#storedModel.position : -1;
    }
    return await store.read(journalEnd) > this.#position;
  }

  /** Passes what holds no text, without loading the model: a server that embeds nothing stays small. */
  async #skipTextless(): Promise<boolean> {
    if (this.#model !== undefined || this.#storedModel?.serving === 0) return false;
    const row = { number: this.#storedModel?.number ?? 0 };
    const after = Math.max(0, this.#position!);
    const { end, missing } = await this.#deps.store.read((db) =>
      readJournalBatch(db, row, after, { ...BATCH_LIMITS, texts: 1 })
    );
    if (missing.length > 0) return false;
    this.#position = end;
    return true;
  }

  async #embedBatch(): Promise<void> {
    const { store, embedder } = this.#deps;
    const { model, row } = this.#model ??= await this.#registerModel();
    const after = Math.max(0, this.#position!);
    const { end, missing } = await store.read((db) =>
      readJournalBatch(db, row, after, BATCH_LIMITS)
    );
    const vectors = await embedder.embedPassages(missing.map(({ text }) => text));
    // A document has many chunks: the stretch is read again until all of them are embedded.
    const place = missing.length < BATCH_LIMITS.texts ? end : after;
    const caughtUp = await store.write(async (tx) => {
      for (const [index, each] of missing.entries()) {
        await insertVector(tx, row, each, vectors[index]!, model.center);
      }
      await advanceModel(tx, row, place);
      return await journalEnd(tx) === place;
    });
    this.#position = place;
    if (caughtUp) await this.#activateModel(row);
  }

  async #registerModel(): Promise<{ model: EmbeddingModel; row: ModelRow }> {
    const model = await this.#deps.embedder.model();
    const row = await this.#deps.store.write((tx) => registerModel(tx, model));
    this.#position = row.position;
    return { model, row };
  }

  /** Puts the model to service and clears away the ones before it. */
  async #activateModel(row: ModelRow): Promise<void> {
    const { store } = this.#deps;
    const models = await store.read(listModels);
    const old = models.filter((each) => each.number !== row.number);
    if (old.length === 0 && models[0]?.serving === 1) return;
    await store.write((tx) => activateModel(tx, row));
    this.#log?.info("vectors are up to date", { model: row.id });
    for (const each of old) {
      while (
        !this.#stopped &&
        !await store.write((tx) => removeModelBatch(tx, each, REMOVAL_BATCH_VECTORS))
      ) { /* chunk by chunk, so that no writer waits long */ }
    }
  }
}
