/** Buffered writes, flushed periodically. */

import { describeError, type Log } from "../kernel/log.ts";
import { type PeriodicJob, PeriodicRunner } from "../kernel/process/periodic_job.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Services } from "./services.ts";

const FLUSH_INTERVAL_MS = 5_000;
const FAILURE_MESSAGE = "write-behind flush failed";

/** How often to look for images to make, in milliseconds. */
const IMAGE_INTERVAL_MS = 60_000;

/**
 * Flushes recorded reads, searches and key uses, removes replaced document versions, and maintains
 * what searches read.
 */
export class WriteBehind {
  readonly #services: Services;
  readonly #log: Log;
  /**
   * Several runners because cleaning up after deletions in a large index takes minutes, and no flush
   * must have to wait for it, or for another flush that fails.
   */
  readonly #schedules: readonly PeriodicRunner[];

  constructor(services: Services, log: Log) {
    this.#services = services;
    this.#log = log;
    const { copies } = services.engine;
    const jobs: PeriodicJob[] = [
      ...this.#flushes("due"),
      () => services.documents.runGcRound(),
      ...(copies === null ? [] : [() => copies.maintain()]),
    ].map((run) => ({ failureMessage: FAILURE_MESSAGE, intervalMs: FLUSH_INTERVAL_MS, run }));
    if (copies?.images !== undefined) {
      copies.images.log = log;
      jobs.push({
        failureMessage: "making images of search copies failed",
        intervalMs: IMAGE_INTERVAL_MS,
        run: () => copies.updateImages(),
      });
    }
    this.#schedules = jobs.map((job) => new PeriodicRunner(job, { timers: systemTimers, log }));
  }

  start(): void {
    for (const schedule of this.#schedules) schedule.start();
  }

  /** Schedules no more runs. Doesn't wait for those that are running, since one can take minutes. */
  stop(): void {
    for (const schedule of this.#schedules) void schedule.stop();
  }

  /** Flushes everything, due or not. Failures are logged, and don't stop the rest. */
  async finish(): Promise<void> {
    this.stop();
    for (const run of [...this.#flushes("all"), () => this.#services.documents.stopGc()]) {
      try {
        await run();
      } catch (error) {
        this.#log.warn(FAILURE_MESSAGE, { error: describeError(error) });
      }
    }
  }

  #flushes(scope: "due" | "all"): (() => Promise<void>)[] {
    const { access, activity, keys, connections } = this.#services;
    return [
      () => access.flush(),
      () => scope === "all" ? activity.flush() : activity.flushIfDue(),
      () => keys.flush(),
      () => connections.flush(),
    ];
  }
}
