/** Tests tasks that a command runs and waits for. */

import { strictEqual } from "node:assert/strict";
import { jsonLog } from "../../src/kernel/log.ts";
import { systemTimers } from "../../src/kernel/timers.ts";
import { TaskError } from "../../src/tasks/errors.ts";
import { failureMessage, runTask } from "../../src/tasks/run_task.ts";
import { testHandler, withQueue } from "./queue_fixture.ts";

Deno.test("failureMessage() returns the message of a failed task, and whether the task was cancelled", async () => {
  await withQueue(async ({ store, clock, queue: queueOf, enqueue, task }) => {
    const queue = queueOf("a");
    queue.register(testHandler("purge", () => {
      throw new TaskError("NO_DISK", "The disk failed", { retryable: false });
    }));
    const deps = {
      queue,
      store,
      clock,
      timers: systemTimers,
      log: jsonLog(clock, "off", () => {}),
    };
    const failed = await runTask(deps, 1, await enqueue("purge"));
    strictEqual(failed.status, "dead");
    strictEqual(failureMessage(failed), "The disk failed");

    const id = await enqueue("purge");
    await store.write("maintenance", (tx) => queue.cancel(tx, 1, id));
    strictEqual(failureMessage(await task(id)), "it was cancelled");
  });
});
