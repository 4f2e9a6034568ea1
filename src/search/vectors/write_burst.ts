/** Notices bursts of writes by the growth of the journal. */

import { delay, type Timers } from "../../kernel/timers.ts";
import type { Store } from "../../store/store.ts";
import { journalEnd } from "./vector_store.ts";

/** A write burst is at least this many journal entries within one poll. */
const WRITE_BURST = { entries: 20, pollMs: 100 } as const;

/** Maximum time to wait for a burst to end. After that, a batch is embedded anyway. */
const MAX_BURST_WAIT_MS = 20_000;

/** Lets writes go first. */
export class WriteBurst {
  readonly #store: Store;
  readonly #timers: Timers;
  /** End of the journal when last checked. */
  #lastEnd: number | undefined;

  constructor(store: Store, timers: Timers) {
    this.#store = store;
    this.#timers = timers;
  }

  /** Compares the next changes with this end of the journal, so that one isn't taken for a burst. */
  startFrom(end: number): void {
    this.#lastEnd = end;
  }

  /**
   * Waits for a write burst to end. Embedding a text costs fifty times as much as storing it and
   * competes for the same cores. Vectors can wait; clients that are writing can't.
   */
  async waitOut(isStopped: () => boolean): Promise<void> {
    for (let waited = 0; waited < MAX_BURST_WAIT_MS && !isStopped(); waited += WRITE_BURST.pollMs) {
      // A batch takes longer than a poll, so if few entries were added during the last batch, there
      // isn't a burst.
      const before = this.#lastEnd;
      this.#lastEnd = await this.#store.read(journalEnd);
      if (before !== undefined && this.#lastEnd - before < WRITE_BURST.entries) return;
      await delay(this.#timers, WRITE_BURST.pollMs);
    }
  }
}
