/** Tests the age of pending work, as reported by the health endpoint. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { timestamp } from "../../src/kernel/clock.ts";
import type { Reader } from "../../src/store/store.ts";
import { submitTask } from "../../src/tasks/enqueue.ts";
import { TaskError } from "../../src/tasks/errors.ts";
import { countTasks } from "../../src/tasks/repository.ts";
import { type QueueFixture, testHandler, withQueue } from "./queue_fixture.ts";

const MINUTE = 60_000;

const counted = async ({ store }: QueueFixture) => ({
  ...await store.read((db) => countTasks(db, 1, ["export", "document_extract"])),
});

const now = ({ clock }: QueueFixture) => timestamp(clock.now());

Deno.test("countTasks() counts the age of an extraction from when its upload is complete", async () => {
  await withQueue(async (fixture) => {
    const id = await fixture.enqueue("document_extract");
    await fixture.force(id, "awaiting_upload");
    fixture.clock.pass(10 * MINUTE);
    deepStrictEqual(await counted(fixture), { pending: 0, failed: 0, oldest_pending_at: null });
    await fixture.store.write("maintenance", (tx) => submitTask(tx, fixture.clock, 1, id));
    const completed = now(fixture);
    fixture.clock.pass(MINUTE);
    deepStrictEqual(await counted(fixture), {
      pending: 1,
      failed: 0,
      oldest_pending_at: completed,
    });
  });
});

Deno.test("countTasks() counts the age of a task from its first attempt, and starts over at a redrive", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    queue.register(testHandler("export", () => Promise.resolve({ result: {} })));
    const id = await fixture.enqueue("export");
    fixture.clock.pass(MINUTE);
    const started = now(fixture);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [task] = await queue.claim(new Map([["export", 1]]));
      strictEqual((await counted(fixture)).oldest_pending_at, started);
      await queue.fail(task!, new TaskError("PROVIDER_UNAVAILABLE", "", { retryable: true }));
      deepStrictEqual(await counted(fixture), {
        pending: 1,
        failed: 0,
        oldest_pending_at: started,
      });
      fixture.clock.pass(5 * MINUTE);
    }
    await fixture.store.write("maintenance", (tx) => queue.redrive(tx, 1, id));
    strictEqual((await counted(fixture)).oldest_pending_at, now(fixture));
  });
});

Deno.test("countTasks() finds the oldest task behind many that were created earlier and queued again", async () => {
  await withQueue(async (fixture) => {
    const insert = (from: number, count: number, createdAt: string, updatedAt: string) =>
      fixture.store.write("rows", async (tx) => {
        for (let index = from; index < from + count; index++) {
          await tx.run(sql`insert into tasks
            (project, id, kind, status, max_attempts, payload, created_at, updated_at)
            values (1, ${`task_${index}`}, ${index % 2 === 0 ? "export" : "document_extract"},
              'pending', 5, '{}', ${createdAt}, ${updatedAt})`);
        }
      });
    await insert(0, 600, "2026-01-01", "2026-01-05");
    strictEqual((await counted(fixture)).oldest_pending_at, "2026-01-05");
    await insert(600, 1, "2026-01-02", "2026-01-04");
    await insert(601, 1, "2026-01-03", "2026-01-03");
    let batches = 0;
    const counts = await fixture.store.read((db) => {
      const first: Reader["first"] = (query) => db.first(query);
      const all: Reader["all"] = (query) => (batches++, db.all(query));
      return countTasks({ first, all }, 1, ["export", "document_extract"]);
    });
    deepStrictEqual(counts, { pending: 602, failed: 0, oldest_pending_at: "2026-01-03" });
    strictEqual(batches, 3, "each batch is larger than the one before");
  });
});
