/** How long work has waited: what health tells, and degrades by. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { timestamp } from "../../src/kernel/clock.ts";
import { submitTask } from "../../src/tasks/enqueue.ts";
import { TaskError } from "../../src/tasks/errors.ts";
import { countTasks } from "../../src/tasks/repository.ts";
import { handler, type QueueHouse, withQueue } from "./house.ts";

const MINUTE = 60_000;

const counted = async ({ store }: QueueHouse) => ({
  ...await store.read((db) => countTasks(db, 1, ["export", "document_extract"])),
});

const now = ({ clock }: QueueHouse) => timestamp(clock.now());

Deno.test("an upload's task waits from the moment when its bytes are complete", async () => {
  await withQueue(async (house) => {
    const id = await house.enqueue("document_extract");
    await house.force(id, "awaiting_upload");
    house.clock.pass(10 * MINUTE);
    deepStrictEqual(await counted(house), { pending: 0, failed: 0, oldest_pending_at: null });
    await house.store.write((tx) => submitTask(tx, house.clock, 1, id));
    const completed = now(house);
    house.clock.pass(MINUTE);
    deepStrictEqual(await counted(house), { pending: 1, failed: 0, oldest_pending_at: completed });
  });
});

Deno.test("a task waits from its first attempt, however long its backoff, and anew from a redrive", async () => {
  await withQueue(async (house) => {
    const queue = house.queue("a");
    queue.register(handler("export", () => Promise.resolve({ result: {} })));
    const id = await house.enqueue("export");
    house.clock.pass(MINUTE);
    const started = now(house);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [task] = await queue.claim(new Map([["export", 1]]));
      strictEqual((await counted(house)).oldest_pending_at, started);
      await queue.fail(task!, new TaskError("PROVIDER_UNAVAILABLE", "", { retryable: true }));
      deepStrictEqual(await counted(house), { pending: 1, failed: 0, oldest_pending_at: started });
      house.clock.pass(5 * MINUTE);
    }
    await house.store.write((tx) => queue.redrive(tx, 1, id));
    strictEqual((await counted(house)).oldest_pending_at, now(house));
  });
});
