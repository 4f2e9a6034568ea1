/** Runs a single task to completion, for commands that wait for it. */

import { delay } from "../kernel/timers.ts";
import { findTask, type TaskRow } from "./repository.ts";
import { Attempt } from "./attempt.ts";
import type { TaskFailure } from "./errors.ts";
import type { RunnerDeps } from "./runner.ts";

/** How often to check whether another process has finished the task, in milliseconds. */
const POLL_INTERVAL_MS = 100;

/**
 * Runs a task, unless a server on the same directory claims it first, and returns it once it has
 * ended. After a failed attempt, the next one starts immediately, as long as there are any left.
 */
export async function runTask(deps: RunnerDeps, project: number, id: string): Promise<TaskRow> {
  const { queue, store, timers } = deps;
  for (;;) {
    const claimed = await queue.claimOne(project, id);
    if (claimed !== undefined) {
      await new Attempt(deps, queue.handlers.get(claimed.kind)!, claimed).run();
    }
    const task = await store.read((db) => findTask(db, project, id));
    if (task === undefined) throw new Error(`Task ${id} does not exist`);
    if (["success", "dead", "cancelled"].includes(task.status)) return task;
    if (task.status === "retry") {
      await store.write(project, (tx) => queue.retryNow(tx, project, id));
    } else if (claimed === undefined) await delay(timers, POLL_INTERVAL_MS);
  }
}

/** Returns why a task failed, for the user waiting for it. */
export function failureMessage({ error }: Pick<TaskRow, "error">): string {
  if (error === null) return "it was cancelled";
  return (JSON.parse(error) as TaskFailure).message;
}
