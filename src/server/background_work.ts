/** Background work: tasks, periodic jobs, vectors and webhooks. */

import { WebhookDispatcher } from "../hosted/webhook_dispatcher.ts";
import type { Log } from "../kernel/log.ts";
import { type PeriodicJob, PeriodicRunner } from "../kernel/process/periodic_job.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Membership } from "../store/membership.ts";
import { periodicMaintenance } from "../tasks/maintenance.ts";
import { TaskRunner } from "../tasks/runner.ts";
import { LeaderElection, type LeaderWork } from "./leader_election.ts";
import type { Services } from "./services.ts";

/** How often the leader looks for leases of processes that are gone, in milliseconds. */
const REAP_INTERVAL_MS = 500;

/** How often the leader looks for what processes that are gone have left to remove. */
const LEFTOVERS_INTERVAL_MS = 60_000;

/** Options of the work. */
export interface WorkOptions {
  /** How to deliver to webhooks. If undefined, nothing is delivered. */
  readonly webhooks?: { readonly allowPrivate: boolean } | undefined;
  /** Whether this process has been elected already, so that it does all of the work. */
  readonly isElected?: boolean;
}

/**
 * The background work of a process. Started once and stopped once.
 *
 * If several processes use the records, each of them runs tasks and embeds parts of a backlog, and
 * the one that leads does the rest.
 */
export class BackgroundWork implements LeaderWork {
  readonly #services: Services;
  readonly #log: Log;
  readonly #options: WorkOptions;
  readonly #runner: TaskRunner;
  /** The work that only one process does. */
  #single: Pick<LeaderWork, "stop"> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(services: Services, log: Log, options: WorkOptions = {}) {
    const { appContext, queue } = services;
    const deps = { ...appContext, timers: systemTimers, log };
    this.#services = services;
    this.#log = log;
    this.#options = options;
    this.#runner = new TaskRunner({ ...deps, queue });
  }

  /** Starts the background work and resumes anything left unfinished. */
  async start(): Promise<void> {
    const { membership } = this.#services.engine;
    if (membership === null || this.#options.isElected) {
      await this.#runner.start();
      const single = new SingleWork(this.#services, this.#log, this.#options, membership);
      this.#single = single;
      return await single.start();
    }
    await membership.join("server");
    await this.#runner.start();
    this.#services.vectorHelper?.start(this.#log);
    const makeWork = () => new SingleWork(this.#services, this.#log, this.#options, membership);
    const election = new LeaderElection(membership, makeWork, this.#log);
    this.#single = election;
    election.start();
  }

  /** Stops the work that only one process does. Tasks continue. */
  stopScheduling(): void {
    this.#stopping ??= this.#stopScheduling();
  }

  async #stopScheduling(): Promise<void> {
    await Promise.all([this.#services.vectorHelper?.stop(), this.#single?.stop(true)]);
  }

  /** Resolves when no task is running. Releases tasks that can't finish. */
  async finishTasks(): Promise<void> {
    await this.#runner.stop();
  }

  async stop(isFinal: boolean): Promise<void> {
    this.stopScheduling();
    await this.finishTasks();
    if (isFinal) this.#services.embedder?.close();
    await this.finish();
  }

  /** Resolves when all work has ended. Close the embedder first, or this waits for its batch. */
  async finish(): Promise<void> {
    this.stopScheduling();
    await this.#stopping;
  }
}

/** The work that only one process does at a time: periodic jobs, vectors and webhooks. */
class SingleWork implements LeaderWork {
  readonly #services: Services;
  readonly #log: Log;
  readonly #schedules: readonly PeriodicRunner[];
  readonly #webhooks: WebhookDispatcher | undefined;

  constructor(
    services: Services,
    log: Log,
    { webhooks }: WorkOptions,
    membership: Membership | null,
  ) {
    const { appContext } = services;
    const deps = { ...appContext, timers: systemTimers, log };
    this.#services = services;
    this.#log = log;
    this.#webhooks = webhooks && new WebhookDispatcher({ ...deps, ...webhooks });
    const jobs = periodicJobs(services, log, membership !== null);
    this.#schedules = jobs.map((job) => new PeriodicRunner(job, deps));
  }

  start(): Promise<void> {
    this.#services.projection?.start(this.#log);
    this.#webhooks?.start();
    for (const schedule of this.#schedules) schedule.start();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await Promise.all([
      ...this.#schedules.map((schedule) => schedule.stop()),
      this.#webhooks?.stop(),
      this.#services.projection?.stop(),
    ]);
  }
}

/**
 * Returns the jobs that only one process does.
 *
 * @param isShared whether several processes run tasks
 */
export function periodicJobs(services: Services, log: Log, isShared: boolean): PeriodicJob[] {
  const { appContext, follower } = services;
  const jobs = [periodicMaintenance(appContext), follower.periodicJob(), leftoversJob(services)];
  return isShared ? [...jobs, takeoverJob(services, log)] : jobs;
}

/** Returns the job that takes over the tasks of processes that are gone. */
function takeoverJob({ queue }: Services, log: Log): PeriodicJob {
  return {
    failureMessage: "taking over tasks failed",
    intervalMs: REAP_INTERVAL_MS,
    async run() {
      const lost = await queue.reapOrphaned();
      if (lost > 0) log.warn("tasks of a process that is gone recovered", { tasks: lost });
    },
  };
}

/**
 * Returns the job that looks for what other processes have left to remove. A data directory can have
 * them, too: each local MCP client starts one.
 */
function leftoversJob({ documents, uploads }: Services): PeriodicJob {
  return {
    failureMessage: "looking for leftovers failed",
    intervalMs: LEFTOVERS_INTERVAL_MS,
    run() {
      documents.checkLeftovers();
      uploads.cleanup.checkLeftovers();
      return Promise.resolve();
    },
  };
}
