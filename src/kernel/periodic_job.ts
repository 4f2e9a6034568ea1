/** Work that is repeated for as long as a server runs, whether or not it failed the last time. */

import { describeError, type Log } from "./log.ts";
import type { Timers } from "./timers.ts";

/** What is repeated, and how often. */
export interface PeriodicJob {
  /** What the log says when `look` fails, e.g. "maintenance was not queued". */
  readonly failureMessage: string;
  /** From the end of one `look` to the beginning of the next. */
  readonly intervalMs: number;
  run(): Promise<unknown>;
}

/** Repeats a round until it is stopped; failures go to the log. */
export class PeriodicRunner {
  readonly #job: PeriodicJob;
  readonly #deps: { readonly timers: Timers; readonly log: Log };
  #cancel = () => {};
  #stopped = false;

  constructor(job: PeriodicJob, deps: { readonly timers: Timers; readonly log: Log }) {
    this.#job = job;
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.timers.after(this.#job.intervalMs, () => void this.#run());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #run(): Promise<void> {
    try {
      await this.#job.run();
    } catch (error) {
      this.#deps.log.warn(this.#job.failureMessage, { error: describeError(error) });
    }
    if (!this.#stopped) this.start();
  }
}
