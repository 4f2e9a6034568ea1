/** What is only noted when it happens, and written a little later. */

import { describeError, type Log } from "../kernel/log.ts";
import { PeriodicRunner } from "../kernel/periodic_job.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Services } from "./services.ts";

const FLUSH_INTERVAL_MS = 5_000;
const FAILURE_MESSAGE = "what is written behind was not written";

/** Writes reads of memories, searches and uses of keys, and clears versions that were replaced. */
export class WriteBehind {
  readonly #services: Services;
  readonly #log: Log;
  /** Two: what deletions leave in a large index takes minutes, and the rest must not wait for it. */
  readonly #schedules: readonly PeriodicRunner[];

  constructor(services: Services, log: Log) {
    this.#services = services;
    this.#log = log;
    const rounds = [() => this.#flush("due"), () => services.documents.runGcRound()];
    this.#schedules = rounds.map((run) =>
      new PeriodicRunner({ failureMessage: FAILURE_MESSAGE, intervalMs: FLUSH_INTERVAL_MS, run }, {
        timers: systemTimers,
        log,
      })
    );
  }

  start(): void {
    for (const each of this.#schedules) each.start();
  }

  /** Writes no more by itself. */
  stop(): void {
    for (const each of this.#schedules) each.stop();
  }

  /** Writes everything that is left, due or not; a failure goes to the log. */
  async finish(): Promise<void> {
    this.stop();
    try {
      await this.#flush("all");
      await this.#services.documents.stopGc();
    } catch (error) {
      this.#log.warn(FAILURE_MESSAGE, { error: describeError(error) });
    }
  }

  async #flush(what: "due" | "all"): Promise<void> {
    const { access, activity, keys } = this.#services;
    await access.flush();
    await (what === "all" ? activity.flush() : activity.flushIfDue());
    await keys.flush();
  }
}
