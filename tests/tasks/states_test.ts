/** The task state machine: no transitions are possible except for those in its table. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { TaskError } from "../../src/tasks/errors.ts";
import type { ClaimedTask } from "../../src/tasks/handler.ts";
import { submitTask } from "../../src/tasks/enqueue.ts";
import type { TaskQueue } from "../../src/tasks/queue.ts";
import { TASK_STATUSES, type Transition, TRANSITIONS } from "../../src/tasks/states.ts";
import { type QueueFixture, testHandler, withQueue } from "./queue_fixture.ts";

type Command = (fixture: QueueFixture, queue: TaskQueue, task: ClaimedTask) => Promise<unknown>;

/** Every way to request each of the queue's transitions. */
const COMMANDS: Readonly<Record<Transition, readonly Command[]>> = {
  submit: [
    ({ store, clock }, _, { id }) =>
      store.write("maintenance", (tx) => submitTask(tx, clock, 1, id)),
  ],
  claim: [
    (_, queue) => queue.claim(new Map([["export", 5]])),
    (_, queue, { id }) => queue.claimOne(1, id),
  ],
  succeed: [(_, queue, task) => queue.succeed(task, () => Promise.resolve({ result: {} }))],
  fail: [
    (_, queue, task) => queue.fail(task, new TaskError("X", "It failed")),
    (_, queue, task) => queue.fail(task, new TaskError("X", "It failed", { retryable: false })),
  ],
  lose: [(_, queue) => queue.reapExpired(), (_, queue) => queue.reapOrphaned()],
  release: [(_, queue, task) => queue.release([task])],
  redrive: [
    ({ store }, queue, { id }) => store.write("maintenance", (tx) => queue.redrive(tx, 1, id)),
  ],
  cancel: [
    ({ store }, queue, { id }) => store.write("maintenance", (tx) => queue.cancel(tx, 1, id)),
  ],
};

Deno.test("TaskQueue makes only the transitions that are in the table", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("b");
    queue.register(testHandler("export", () => Promise.reject(new Error("not run here"))));
    const found = new Set<string>();
    for (const [transition, commands] of Object.entries(COMMANDS)) {
      const { from, to } = TRANSITIONS[transition as Transition];
      for (const command of commands) {
        for (const status of TASK_STATUSES) {
          const id = await fixture.enqueue("export");
          await fixture.force(id, status);
          await command(fixture, queue, await claimedTask(fixture, id)).catch(() => undefined);
          const after = (await fixture.task(id)).status;
          await fixture.force(id, "success");
          if (after === status) continue;
          found.add(`${transition}: ${status} -> ${after}`);
          strictEqual((from as readonly string[]).includes(status), true, `${status} -> ${after}`);
          strictEqual((to as readonly string[]).includes(after), true, `${status} -> ${after}`);
        }
      }
    }
    const expected = Object.entries(TRANSITIONS).flatMap(([name, { from, to }]) =>
      from.flatMap((start) =>
        // The single lost lease in this test is neither the third in a row nor on the last attempt.
        to.filter((end) => name !== "lose" || end === "retry").map((end) =>
          `${name}: ${start} -> ${end}`
        )
      )
    );
    deepStrictEqual([...found].sort(), expected.sort());
  });
});

/** Returns the task as if it had been claimed by the worker with the lease that `force` wrote. */
async function claimedTask({ task }: QueueFixture, id: string): Promise<ClaimedTask> {
  const { seq, kind, attempts, max_attempts } = await task(id);
  return {
    seq,
    kind,
    id,
    project: 1,
    payload: "{}",
    attempt: attempts,
    maxAttempts: max_attempts,
    progress: null,
    leaseToken: "a",
  };
}
