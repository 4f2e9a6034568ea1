/** Queues chunk batches: small units of work that together write or collect large versions. */

import { yieldToEventLoop } from "../kernel/timers.ts";
import { WorkerClient } from "../kernel/process/worker_client.ts";
import type { SqliteStore } from "../store/sqlite/store.ts";
import type { WriteStore } from "../store/store.ts";
import {
  type BatchRequest,
  type BatchResponse,
  BatchUnits,
  type StagedBatch,
  type StagingStart,
} from "./batch_units.ts";

/** Runs chunk batches, each as one unit of work. */
export interface BatchRunner {
  /** @param request called when it's the batch's turn to write */
  run(request: () => BatchRequest): Promise<BatchResponse>;
  close(): void;
}

/**
 * Runs batches in a thread with exclusive access to a SQLite store. Only writers have to wait for a
 * batch, and they get their turn between batches.
 */
export function threadedBatches(
  store: Pick<SqliteStore, "runExclusive" | "path">,
): BatchRunner {
  const url = new URL("./chunk_batch_worker.ts", import.meta.url);
  const worker = new WorkerClient<BatchRequest, BatchResponse>(url, store.path);
  return {
    run: (request) => store.runExclusive(() => worker.request(request())),
    close: () => worker.close(),
  };
}

/** Runs batches as units of work of a store that doesn't need a thread for them. */
export function inlineBatches(store: WriteStore): BatchRunner {
  const units = new BatchUnits(store);
  return {
    async run(request) {
      // The queue's callers pin a version as soon as it has a number, and before the next batch.
      await yieldToEventLoop();
      return await units.run(request());
    },
    close() {},
  };
}

/** Runs batches one at a time. */
export class ChunkBatchQueue {
  readonly #runner: BatchRunner;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #segments = 0;
  #activeWriters = 0;
  #closed = false;

  constructor(runner: BatchRunner) {
    this.#runner = runner;
  }

  /** Begins a staged version and returns its number. */
  async begin(start: StagingStart): Promise<number> {
    return await this.#write(() => ({ begin: start })) as number;
  }

  /**
   * Appends chunks to a staged version. Returns false if part of the version has already been
   * collected.
   */
  async append(batch: StagedBatch): Promise<boolean> {
    this.recordSegment();
    return await this.#write(() => ({ append: batch })) as boolean;
  }

  /**
   * Runs one collection step. Returns false if there was nothing to collect.
   *
   * @param pinned returns the versions to skip. Called when it's the step's turn
   */
  async collect(pinned: () => Iterable<number>): Promise<boolean> {
    this.recordSegment();
    return await this.#write(() => ({ collect: { pinned: [...pinned()] } })) as boolean;
  }

  /** Runs one index merge step. See `TextIndex.mergeStep`. */
  async merge(first: boolean): Promise<boolean> {
    const segments = this.#segments;
    const hasMore = await this.#write(() => ({ merge: { first } })) as boolean;
    if (!hasMore) this.#segments -= segments;
    return hasMore;
  }

  /** Upper bound on the number of segments since the last merge, assuming one per unit of work. */
  get segments(): number {
    return this.#segments;
  }

  /** Whether a version is being written, in which case merging should wait. */
  get isWriting(): boolean {
    return this.#activeWriters > 0;
  }

  /** Runs work that writes a version. `isWriting` is true until it settles. */
  async whileWriting<T>(work: () => Promise<T>): Promise<T> {
    this.#activeWriters++;
    try {
      return await work();
    } finally {
      this.#activeWriters--;
    }
  }

  /** Counts a segment written by a unit of work outside this queue. */
  recordSegment(): void {
    this.#segments++;
  }

  /** Completes the queued batches and closes the runner. Subsequent calls fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#lastTurn;
    this.#runner.close();
  }

  /** Resolves once the batch has been committed. */
  #write(request: () => BatchRequest): Promise<BatchResponse> {
    if (this.#closed) return Promise.reject(new Error("The chunk batch queue is closed"));
    const turn = this.#lastTurn.then(() => this.#runner.run(request));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}
