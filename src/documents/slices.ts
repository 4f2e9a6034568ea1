/** The queue of slices: small units of work that together write or clear something large. */

import { WorkerClient } from "../kernel/worker_client.ts";
import type { Store } from "../store/store.ts";
import type { Filling, Opening, SliceAnswer, SliceQuestion } from "./slice_units.ts";

/**
 * Has slices written one at a time, by a thread to which the store lends its lock. Only writers
 * wait for a slice, and they have their turn between two of them.
 */
export class Slices {
  readonly #store: Pick<Store, "lend">;
  readonly #worker: WorkerClient<SliceQuestion, SliceAnswer>;
  #last: Promise<unknown> = Promise.resolve();
  #segments = 0;
  #underWay = 0;
  #closed = false;

  /** @param path the database file */
  constructor(store: Pick<Store, "lend">, path: string) {
    this.#store = store;
    this.#worker = new WorkerClient(new URL("./slices_worker.ts", import.meta.url), path);
  }

  /** Begins a version that is written ahead; answers its number. */
  async open(opening: Opening): Promise<number> {
    return await this.#write(() => ({ open: opening })) as number;
  }

  /** Adds chunks to it; false when somebody has cleared it away. */
  async fill(filling: Filling): Promise<boolean> {
    this.addSegment();
    return await this.#write(() => ({ fill: filling })) as boolean;
  }

  /**
   * One step of clearing what is retired; false when nothing is left to clear.
   *
   * @param held the versions that stay, asked for when it is the step's turn
   */
  async clear(held: () => Iterable<number>): Promise<boolean> {
    this.addSegment();
    return await this.#write(() => ({ clear: { held: [...held()] } })) as boolean;
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
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /** Runs what writes a version. */
  async busyWith<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
    }
  }

  /** A unit of work outside of this queue has written to the index. */
  addSegment(): void {
    this.#segments++;
  }

  /** Finishes what was asked for, and ends the thread; what comes later is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    this.#worker.close();
  }

  /** Resolves after the commit that holds the slice. */
  #write(ask: () => SliceQuestion): Promise<SliceAnswer> {
    if (this.#closed) return Promise.reject(new Error("The thread of slices was stopped"));
    const turn = this.#last.then(() => this.#store.lend(() => this.#worker.ask(ask())));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
