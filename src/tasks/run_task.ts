/** One task, run here and now: for a verb of the command line that has to see its end. */

import { delay } from "../kernel/timers.ts";
import { findTask, type TaskRow } from "./repository.ts";
import { Attempt } from "./attempt.ts";
import type { TaskFailure } from "./errors.ts";
import type { RunnerDeps } from "./runner.ts";

/** How often to check whether another process has finished the task. */
const POLL_INTERVAL_MS = 100;

/**
 * Runs a task unless a server on the same directory is faster, and answers it once it has ended.
 * After an attempt that fails the next one is made at once, as long as any are left.
 */
export async function runTask(deps: RunnerDeps, project: number, id: string): Promise<TaskRow> {
  const { queue, store, timers } = deps;
  for (;;) {
    const claimed = await queue.claimOne(project, id);
    if (claimed !== undefined) {
      await new Attempt(deps, queue.handlers.get(claimed.kind)!, claimed).run();
    }
    const task = await store.read((db) => findTask(db, project, id));
    if (task === undefined) throw new Error(`Task ${id} has vanished`);
    if (["success", "dead", "cancelled"].includes(task.status)) return task;
    if (task.status === "retry") await store.write((tx) => queue.retryNow(tx, project, id));
    else if (claimed === undefined) await delay(timers, POLL_INTERVAL_MS);
  }
}

/** Why a task didn't succeed, for the person who waits for it. */
export function failureMessage({ error }: Pick<TaskRow, "error">): string {
  if (error === null) return "it was cancelled";
  return (JSON.parse(error) as TaskFailure).message;
}
