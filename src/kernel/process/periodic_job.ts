/** Runs a job at regular intervals while a server is running, even if the last run failed. */

import { describeError, type Log } from "../log.ts";
import type { Timers } from "../timers.ts";

/** A job that runs at regular intervals. */
export interface PeriodicJob {
  /** Event to log if `run` fails, e.g. "queueing maintenance failed". */
  readonly failureMessage: string;
  /** Time between the end of one run and the start of the next, in milliseconds. */
  readonly intervalMs: number;
  run(): Promise<unknown>;
}

/** Runs a job until stopped. Failures are logged. */
export class PeriodicRunner {
  readonly #job: PeriodicJob;
  readonly #deps: { readonly timers: Timers; readonly log: Log };
  #cancel = () => {};
  #running = Promise.resolve();
  #stopped = false;

  constructor(job: PeriodicJob, deps: { readonly timers: Timers; readonly log: Log }) {
    this.#job = job;
    this.#deps = deps;
  }

  /** Schedules the first run, by default one interval from now. */
  start(delayMs = this.#job.intervalMs): void {
    this.#cancel = this.#deps.timers.after(delayMs, () => {
      this.#running = this.#run();
    });
  }

  /** Schedules no more runs. Resolves once the current one, if any, has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
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
