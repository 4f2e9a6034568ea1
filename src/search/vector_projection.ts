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

import type { Embedder, EmbeddingModel } from "../embedding/embedder.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Timers } from "../kernel/timers.ts";
import type { Store } from "../store/store.ts";
import {
  advance,
  clearModel,
  countPending,
  enrolModel,
  insertVector,
  journalEnd,
  listModels,
  type ModelRow,
  putToService,
  readStretch,
} from "./vector_store.ts";

/** Entries of the journal a batch, and texts: these take about half a second to embed. */
const STRETCH = { entries: 64, texts: 64 } as const;

/** Vectors of an old model that are removed in one unit of work. */
const CLEARED_AT_ONCE = 500;

/** How often the journal is looked at without a notice: another process may have written. */
const LOOK_MS = 1_000;

/** After a failure the next try waits, longer each time, up to a minute. */
const LONGEST_WAIT_MS = 60_000;

/** A rush of writes: so many entries of the journal within a look of so many milliseconds. */
const RUSH = { entries: 20, lookMs: 100 } as const;

/** A rush is given way for at most this long; then a batch is embedded beside it. */
const LONGEST_RUSH_MS = 20_000;

/** What the projection stands on. */
export interface ProjectionDeps {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly timers: Timers;
}

/** Follows the journal until it is stopped. */
export class VectorProjection {
  readonly #deps: ProjectionDeps;
  #model: { readonly model: EmbeddingModel; readonly row: ModelRow } | undefined;
  /** The row of the model as it is meant to be, as it was found at the start. */
  #known: ModelRow | undefined;
  #position: number | undefined;
  /** The end of the journal when it was last looked at for a rush. */
  #seen: number | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #log: Log | undefined;
  #stopped = false;
  #failures = 0;
  #cancel = () => {};
  #stopListening = () => {};

  constructor(deps: ProjectionDeps) {
    this.#deps = deps;
  }

  start(log: Log): void {
    this.#log = log;
    this.#stopped = false;
    this.#stopListening = this.#deps.store.listen("journal", () => {
      if (this.#failures === 0) this.#look();
    });
    this.#look();
  }

  /** Resolves when nothing of it runs any more. The embedder must be closed first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    this.#cancel();
    await this.#running;
  }

  /** How many memories and chunks of a project, or of all, wait for their vectors. */
  pending(project: number | null): Promise<number> {
    const id = this.#model?.model.id ?? this.#deps.embedder.intended;
    return this.#deps.store.read((db) => countPending(db, id, project));
  }

  /** One run at a time; a notice during one makes another follow. */
  #look(): void {
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#cancel();
    this.#running = this.#follow().finally(() => {
      this.#running = undefined;
      if (this.#again) {
        this.#again = false;
        return this.#look();
      }
      const wait = Math.min(LONGEST_WAIT_MS, LOOK_MS * 2 ** this.#failures);
      if (!this.#stopped) this.#cancel = this.#deps.timers.after(wait, () => this.#look());
    });
  }

  async #follow(): Promise<void> {
    try {
      while (!this.#stopped && await this.#isBehind()) {
        if (await this.#passTextless()) continue;
        await this.#giveWay();
        if (!this.#stopped) await this.#batch();
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
  async #giveWay(): Promise<void> {
    const { store, timers } = this.#deps;
    for (let waited = 0; waited < LONGEST_RUSH_MS && !this.#stopped; waited += RUSH.lookMs) {
      // A batch takes longer than a look: where little came in beside the last one, there is no rush.
      const before = this.#seen;
      this.#seen = await store.read(journalEnd);
      if (before !== undefined && this.#seen - before < RUSH.entries) return;
      await new Promise<void>((resolve) => timers.after(RUSH.lookMs, resolve));
    }
  }

  async #isBehind(): Promise<boolean> {
    const { store, embedder } = this.#deps;
    if (this.#position === undefined) {
      const models = await store.read(listModels);
      this.#known = models.find(({ id }) => id === embedder.intended);
      // A model that has to be put to service yet is behind, wherever it has come to.
      this.#position = this.#known?.serving === 1 ? this.#known.position : -1;
    }
    return await store.read(journalEnd) > this.#position;
  }

  /** Passes what holds no text, without loading the model: a server that embeds nothing stays small. */
  async #passTextless(): Promise<boolean> {
    if (this.#model !== undefined || this.#known?.serving === 0) return false;
    const row = { number: this.#known?.number ?? 0 };
    const after = Math.max(0, this.#position!);
    const { end, missing } = await this.#deps.store.read((db) =>
      readStretch(db, row, after, { ...STRETCH, texts: 1 })
    );
    if (missing.length > 0) return false;
    this.#position = end;
    return true;
  }

  async #batch(): Promise<void> {
    const { store, embedder } = this.#deps;
    const { model, row } = this.#model ??= await this.#enrol();
    const after = Math.max(0, this.#position!);
    const { end, missing } = await store.read((db) => readStretch(db, row, after, STRETCH));
    const vectors = await embedder.passages(missing.map(({ text }) => text));
    // A document has many chunks: the stretch is read again until all of them are embedded.
    const place = missing.length < STRETCH.texts ? end : after;
    const caughtUp = await store.write(async (tx) => {
      for (const [index, each] of missing.entries()) {
        await insertVector(tx, row, each, vectors[index]!, model.center);
      }
      await advance(tx, row, place);
      return await journalEnd(tx) === place;
    });
    this.#position = place;
    if (caughtUp) await this.#serve(row);
  }

  async #enrol(): Promise<{ model: EmbeddingModel; row: ModelRow }> {
    const model = await this.#deps.embedder.model();
    const row = await this.#deps.store.write((tx) => enrolModel(tx, model));
    this.#position = row.position;
    return { model, row };
  }

  /** Puts the model to service and clears away the ones before it. */
  async #serve(row: ModelRow): Promise<void> {
    const { store } = this.#deps;
    const models = await store.read(listModels);
    const old = models.filter((each) => each.number !== row.number);
    if (old.length === 0 && models[0]?.serving === 1) return;
    await store.write((tx) => putToService(tx, row));
    this.#log?.info("vectors are up to date", { model: row.id });
    for (const each of old) {
      while (
        !this.#stopped && !await store.write((tx) => clearModel(tx, each, CLEARED_AT_ONCE))
      ) { /* chunk by chunk, so that no writer waits long */ }
    }
  }
}
