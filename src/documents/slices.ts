/** The lane for units of work that nobody waits for by themselves: slices of something large. */

import { breathe } from "../kernel/timers.ts";
import type { Store, Tx } from "../store/store.ts";

/**
 * Writes slices one at a time, whatever they are part of, and lets requests have their turn between
 * two. Slices that wait for the writer together would share a transaction, and others wait for all.
 */
export class Slices {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves after the commit that holds the slice. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#store.write(work));
    this.#last = turn.then(breathe, breathe);
    return turn;
  }
}
