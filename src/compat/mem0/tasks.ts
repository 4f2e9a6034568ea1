/** Waits for tasks, for clients that expect the result of an add or a batch in its response. */

import { LIMITS } from "../../kernel/limits.ts";
import { delay, type Timers } from "../../kernel/timers.ts";

/** First and longest pause between two looks at a task, in milliseconds. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [5, 250];

/** Dependencies of `waitFor()`. */
export interface WaitDeps {
  readonly timers: Timers;
  /** A stopping service finishes its requests first, so they must not wait for tasks. */
  readonly isStopping: () => boolean;
}

/** Reads a task until it has ended, at most a minute. Returns its last state in either case. */
export async function waitFor<Task>(
  { timers, isStopping }: WaitDeps,
  read: () => Promise<Task>,
  hasEnded: (task: Task) => boolean,
): Promise<Task> {
  let pause = FIRST_PAUSE_MS;
  for (let waited = 0;; waited += pause) {
    const task = await read();
    if (hasEnded(task) || isStopping() || waited >= LIMITS.mem0WaitSeconds * 1_000) return task;
    pause = Math.min(2 * pause, MAX_PAUSE_MS);
    await delay(timers, pause);
  }
}
