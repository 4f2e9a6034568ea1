/** Deletes expired records every hour. */

import sql from "sql-template-tag";
import { z } from "zod";
import { type Clock, DAY_MS, HOUR_MS, timestamp } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { throwAll } from "../kernel/errors.ts";
import type { PeriodicJob } from "../kernel/process/periodic_job.ts";
import type { Store, Tx } from "../store/store.ts";
import type { Blobs } from "../store/blobs/blobs.ts";
import { enqueueTask } from "./enqueue.ts";
import type { TaskContext, TaskHandler } from "./handler.ts";
import { taskHandler, taskType } from "./task_type.ts";

/** Project number for tasks that don't belong to any project. */
export const NO_PROJECT = 0;

/** How often to check whether maintenance is due, in milliseconds. */
const CHECK_INTERVAL_MS = 60_000;

/** Maximum number of rows deleted per unit of work. */
const BATCH_ROWS = 500;

const MAINTENANCE = taskType({
  kind: "maintenance",
  payload: z.object({}),
  concurrency: 1,
  timeLimitMs: HOUR_MS,
  resumable: true,
});

/** A maintenance step. */
export interface MaintenanceJob {
  /** Name of the job's count in the task result. */
  readonly name: string;
  /** Returns the number of records deleted or queued. Must be safe to repeat. */
  run(context: TaskContext): Promise<number>;
}

/**
 * Creates a handler that runs the jobs one after the other, even if some of them fail. The attempt
 * then fails with all errors. A retry repeats all jobs, which have less to do then.
 */
export function maintenanceHandler(jobs: readonly MaintenanceJob[]): TaskHandler {
  return taskHandler(MAINTENANCE, {
    // Jobs change single rows of all projects, which requests may be changing at the same time.
    owner: () => "rows",
    async run(context) {
      const result: Record<string, number> = {};
      const failures: unknown[] = [];
      for (const job of jobs) {
        context.signal.throwIfAborted();
        try {
          result[job.name] = await job.run(context);
        } catch (error) {
          failures.push(error);
        }
      }
      throwAll(failures);
      return { result };
    },
  });
}

/** Deletes rows in batches until one isn't full. Returns the number deleted. */
export async function deleteInBatches(
  context: TaskContext,
  remove: (tx: Tx, count: number) => Promise<number>,
): Promise<number> {
  for (let total = 0;;) {
    context.signal.throwIfAborted();
    const removed = await context.commit((tx) => remove(tx, BATCH_ROWS));
    total += removed;
    if (removed < BATCH_ROWS) return total;
  }
}

/** Returns the jobs not part of any module. Modules add their own. */
export function systemJobs(
  { store, clock, blobs }: { store: Store; clock: Clock; blobs: Blobs },
): MaintenanceJob[] {
  const ago = (milliseconds: number) => timestamp(clock.now() - milliseconds);
  return [
    {
      name: "idempotency_records",
      run: (context) =>
        deleteInBatches(
          context,
          (tx, count) =>
            tx.run(sql`delete from idempotency where (project, key) in
            (select project, key from idempotency
             where created_at < ${ago(LIMITS.idempotencyRetentionDays * DAY_MS)} limit ${count})`),
        ),
    },
    {
      name: "system_tasks",
      run: (context) =>
        deleteInBatches(context, (tx, count) =>
          tx.run(sql`delete from tasks where seq in
            (select seq from tasks where project = ${NO_PROJECT} and completed_at < ${
            ago(7 * DAY_MS)
          }
             limit ${count})`)),
    },
    {
      name: "orphaned_blobs",
      // Younger files may be referenced by a unit of work that hasn't committed yet.
      run: () => blobs.sweep(store, clock.now() - DAY_MS),
    },
  ];
}

/** Returns a job that queues maintenance if it last ran more than an hour ago. */
export function periodicMaintenance(
  deps: { readonly store: Store; readonly clock: Clock; readonly ids: Ids },
): PeriodicJob {
  return {
    failureMessage: "queueing maintenance failed",
    intervalMs: CHECK_INTERVAL_MS,
    run: () => deps.store.write("maintenance", (tx) => queueMaintenance(tx, deps)),
  };
}

/**
 * Queues maintenance. Returns false if it's already queued or was queued within the last hour. A
 * later time than now is from when the clock was ahead, and doesn't count.
 */
export async function queueMaintenance(
  tx: Tx,
  deps: { readonly clock: Clock; readonly ids: Ids },
): Promise<boolean> {
  const now = deps.clock.now();
  const recent = await tx.first(sql`select 1 from tasks
    where project = ${NO_PROJECT} and kind = 'maintenance'
      and (created_at > ${timestamp(now - HOUR_MS)} and created_at <= ${timestamp(now)}
        or status in ('pending', 'retry', 'processing')) limit 1`);
  if (recent !== undefined) return false;
  await enqueueTask(tx, deps, NO_PROJECT, { type: MAINTENANCE, payload: {} });
  return true;
}
