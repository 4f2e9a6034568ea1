/** The queue of slices: small units of work that together write or clear something large. */

import { WorkerClient } from "../kernel/worker_client.ts";
import type { Store } from "../store/store.ts";
import type { BatchRequest, BatchResponse, StagedBatch, StagingStart } from "./batch_units.ts";

/**
 * Has slices written one at a time, by a thread to which the store lends its lock. Only writers
 * wait for a slice, and they have their turn between two of them.
 */
export class ChunkBatchQueue {
  readonly #store: Pick<Store, "runExclusive">;
  readonly #worker: WorkerClient<BatchRequest, BatchResponse>;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #segments = 0;
  #activeWriters = 0;
  #closed = false;

  /** @param path the database file */
  constructor(store: Pick<Store, "runExclusive">, path: string) {
    this.#store = store;
    this.#worker = new WorkerClient(new URL("./chunk_batch_worker.ts", import.meta.url), path);
  }

  /** Begins a version that is written ahead; answers its number. */
  async begin(start: StagingStart): Promise<number> {
    return await this.#write(() => ({ open: start })) as number;
  }

  /** Adds chunks to it; false when somebody has cleared it away. */
  async append(batch: StagedBatch): Promise<boolean> {
    this.recordSegment();
    return await this.#write(() => ({ fill: batch })) as boolean;
  }

  /**
   * One step of clearing what is retired; false when nothing is left to clear.
   *
   * @param pinned the versions that stay, asked for when it is the step's turn
   */
  async collect(pinned: () => Iterable<number>): Promise<boolean> {
    this.recordSegment();
    return await this.#write(() => ({ clear: { pinned: [...pinned()] } })) as boolean;
  }

  /** One step of merging the index; see `TextIndex.purgeSome`. */
  async merge(first: boolean): Promise<boolean> {
    const segments = this.#segments;
    const isMore = await this.#write(() => ({ merge: { first } })) as boolean;
    if (!isMore) this.#segments -= segments;
    return isMore;
  }

  /** Segments that the index may have got since it was merged last: one a unit of work. */
  get segments(): number {
    return this.#segments;
  }

  /** Whether a version is being written, so that merging should wait. */
  get isWriting(): boolean {
    return this.#activeWriters > 0;
  }

  /** Runs what writes a version. */
  async whileWriting<T>(work: () => Promise<T>): Promise<T> {
    this.#activeWriters++;
    try {
      return await work();
    } finally {
      this.#activeWriters--;
    }
  }

  /** A unit of work outside of this queue has written to the index. */
  recordSegment(): void {
    this.#segments++;
  }

  /** Finishes what was asked for, and ends the thread; what comes later is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#lastTurn;
    this.#worker.close();
  }

  /** Resolves after the commit that holds the slice. */
  #write(request: () => BatchRequest): Promise<BatchResponse> {
    if (this.#closed) return Promise.reject(new Error("The thread of slices was stopped"));
    const turn = this.#lastTurn.then(() =>
      this.#store.runExclusive(() => this.#worker.request(request()))
    );
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}
