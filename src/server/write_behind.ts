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
  /** Two: what deletions leave in a large index takes minutes, and the rest must not wait for it. */
  readonly #schedules: readonly Schedule[];

  constructor(services: Services, log: Log) {
    this.#services = services;
    this.#log = log;
    const rounds = [() => this.#write("due"), () => services.documents.purgeRest()];
    this.#schedules = rounds.map((look) =>
      new Schedule({ failure: FAILURE, everyMs: EVERY_MS, look }, { timers: systemTimers, log })
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
      await this.#write("all");
      await this.#services.documents.finishPurge();
    } catch (error) {
      this.#log.warn(FAILURE, { error: describeError(error) });
    }
  }

  async #write(what: "due" | "all"): Promise<void> {
    const { access, activity, keys } = this.#services;
    await access.flush();
    await (what === "all" ? activity.flush() : activity.flushIfDue());
    await keys.flush();
  }
}
