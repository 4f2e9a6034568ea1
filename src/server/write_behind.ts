/** What is only noted when it happens, and written a little later. */

import { describeError, type Log } from "../kernel/log.ts";
import { Schedule } from "../kernel/schedule.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Services } from "./services.ts";

const EVERY_MS = 5_000;
const FAILURE = "what is written behind was not written";

/** Writes reads of memories, searches and uses of keys, and clears versions that were replaced. */
export class WriteBehind {
  readonly #services: Services;
  readonly #log: Log;
  readonly #schedule: Schedule;

  constructor(services: Services, log: Log) {
    this.#services = services;
    this.#log = log;
    const round = { failure: FAILURE, everyMs: EVERY_MS, look: () => this.#write("due") };
    this.#schedule = new Schedule(round, { timers: systemTimers, log });
  }

  start(): void {
    this.#schedule.start();
  }

  /** Writes no more by itself. */
  stop(): void {
    this.#schedule.stop();
  }

  /** Writes everything that is left, due or not; a failure goes to the log. */
  async finish(): Promise<void> {
    this.stop();
    try {
      await this.#write("all");
    } catch (error) {
      this.#log.warn(FAILURE, { error: describeError(error) });
    }
  }

  async #write(what: "due" | "all"): Promise<void> {
    const { access, activity, keys, documents } = this.#services;
    await access.flush();
    await (what === "all" ? activity.flush() : activity.flushIfDue());
    await keys.flush();
    await (what === "all" ? documents.finishPurge() : documents.purgeRest());
  }
}
