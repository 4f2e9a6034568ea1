/** Background work for a data directory: tasks, periodic jobs and vectors. */

import type { Log } from "../kernel/log.ts";
import { PeriodicRunner } from "../kernel/periodic_job.ts";
import { systemTimers } from "../kernel/timers.ts";
import { periodicMaintenance } from "../tasks/maintenance.ts";
import { TaskRunner } from "../tasks/runner.ts";
import type { Services } from "./services.ts";

/** A data directory's background work. Started once and stopped once. */
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
      .map((job) => new PeriodicRunner(job, deps));
  }

  /** Starts the background work and resumes anything left unfinished. */
  async start(): Promise<void> {
    await this.#runner.start();
    this.#services.projection?.start(this.#log);
    for (const schedule of this.#schedules) schedule.start();
  }

  /** Stops the periodic jobs. Tasks and vectors continue. */
  stopScheduling(): void {
    for (const schedule of this.#schedules) schedule.stop();
  }

  /** Resolves when no task is running. Releases tasks that can't finish. */
  finishTasks(): Promise<void> {
    return this.#runner.stop();
  }
}
