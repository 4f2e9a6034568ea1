/** What is done in the background: tasks, regular rounds, vectors. */

import type { Log } from "../kernel/log.ts";
import { PeriodicRunner } from "../kernel/periodic_job.ts";
import { systemTimers } from "../kernel/timers.ts";
import { periodicMaintenance } from "../tasks/maintenance.ts";
import { TaskRunner } from "../tasks/runner.ts";
import type { Services } from "./services.ts";

/** The background work of a data directory, begun once and ended once. */
export class BackgroundWork {
  readonly #services: Services;
  readonly #log: Log;
  readonly #runner: TaskRunner;
  readonly #schedules: readonly PeriodicRunner[];

  constructor(services: Services, log: Log) {
    const { appContext, queue, follower } = services;
    const deps = { ...appContext, timers: systemTimers, log };
    this.#services = services;
    this.#log = log;
    this.#runner = new TaskRunner({ ...deps, queue });
    this.#schedules = [periodicMaintenance(appContext), follower.periodicJob()]
      .map((round) => new PeriodicRunner(round, deps));
  }

  /** Takes up what was left behind, and begins. */
  async start(): Promise<void> {
    await this.#runner.start();
    this.#services.projection?.start(this.#log);
    for (const schedule of this.#schedules) schedule.start();
  }

  /** Begins nothing new by itself; tasks and vectors go on. */
  stopScheduling(): void {
    for (const schedule of this.#schedules) schedule.stop();
  }

  /** Resolves when no task runs any more: each is finished, or given back. */
  finishTasks(): Promise<void> {
    return this.#runner.stop();
  }
}
