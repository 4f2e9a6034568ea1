/**
 * Reads the end of the journal for the followers of a process. A read waits for all transactions
 * that write to the journal, in all processes, and those that begin wait behind it. So callers share
 * reads, each waits briefly, and transactions can go on before the next one.
 */

import { delay, systemTimers } from "../../kernel/timers.ts";

/** How long a read waits for transactions, in milliseconds. */
const MAX_WAIT_MS = 50;

/** How long transactions can go on after a read that has waited in vain, in milliseconds. */
const PAUSE_MS = 150;

/** How often to try before callers get the end of an earlier read. */
const MAX_ATTEMPTS = 6;

/** The end of the journal. */
export class JournalEnd {
  readonly #readAfter: (maxWaitMs: number) => Promise<number | null>;
  #last = 0;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<number> | undefined;

  /**
   * @param readAfter reads the end once transactions have ended. Returns null if they take longer
   *   than the given time
   */
  constructor(readAfter: (maxWaitMs: number) => Promise<number | null>) {
    this.#readAfter = readAfter;
  }

  /** Returns the end as of now, or as of an earlier read if a transaction takes long. */
  read(): Promise<number> {
    // Callers share the next read. The one that's running may have missed what they look for.
    if (this.#next !== undefined) return this.#next;
    const next = this.#running.then(() => {
      this.#next = undefined;
      return this.#read();
    });
    this.#next = next;
    this.#running = next.catch(() => undefined);
    return next;
  }

  async #read(): Promise<number> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > 1) await delay(systemTimers, PAUSE_MS);
      const end = await this.#readAfter(MAX_WAIT_MS);
      if (end !== null) return this.#last = end;
    }
    return this.#last;
  }
}
