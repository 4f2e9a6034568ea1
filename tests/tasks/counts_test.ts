/** How long work has waited: what health tells, and degrades by. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { timestamp } from "../../src/kernel/clock.ts";
import { submitTask } from "../../src/tasks/enqueue.ts";
import { TaskError } from "../../src/tasks/errors.ts";
import { countTasks } from "../../src/tasks/repository.ts";
import { type QueueFixture, testHandler, withQueue } from "./queue_fixture.ts";

const MINUTE = 60_000;

const counted = async ({ store }: QueueFixture) => ({
  ...await store.read((db) => countTasks(db, 1, ["export", "document_extract"])),
});

const now = ({ clock }: QueueFixture) => timestamp(clock.now());

Deno.test("an upload's task waits from the moment when its bytes are complete", async () => {
  await withQueue(async (bench) => {
    const id = await bench.enqueue("document_extract");
    await bench.force(id, "awaiting_upload");
    bench.clock.pass(10 * MINUTE);
    deepStrictEqual(await counted(bench), { pending: 0, failed: 0, oldest_pending_at: null });
    await bench.store.write((tx) => submitTask(tx, bench.clock, 1, id));
    const completed = now(bench);
    bench.clock.pass(MINUTE);
    deepStrictEqual(await counted(bench), { pending: 1, failed: 0, oldest_pending_at: completed });
  });
});

Deno.test("a task waits from its first attempt, however long its backoff, and anew from a redrive", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    queue.register(testHandler("export", () => Promise.resolve({ result: {} })));
    const id = await bench.enqueue("export");
    bench.clock.pass(MINUTE);
    const started = now(bench);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [task] = await queue.claim(new Map([["export", 1]]));
      strictEqual((await counted(bench)).oldest_pending_at, started);
      await queue.fail(task!, new TaskError("PROVIDER_UNAVAILABLE", "", { retryable: true }));
      deepStrictEqual(await counted(bench), { pending: 1, failed: 0, oldest_pending_at: started });
      bench.clock.pass(5 * MINUTE);
    }
    await bench.store.write((tx) => queue.redrive(tx, 1, id));
    strictEqual((await counted(bench)).oldest_pending_at, now(bench));
  });
});
