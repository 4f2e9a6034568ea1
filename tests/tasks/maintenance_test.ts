/** Tests when maintenance is due and what it deletes. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { ulidIds } from "../../src/kernel/ids.ts";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import type { TaskContext } from "../../src/tasks/handler.ts";
import {
  maintenanceHandler,
  NO_PROJECT,
  queueMaintenance,
  systemJobs,
} from "../../src/tasks/maintenance.ts";
import { listTasks } from "../../src/tasks/repository.ts";
import { deferred, withQueue } from "./queue_fixture.ts";

Deno.test("queueMaintenance() queues one task per hour, and none while one is already pending", async () => {
  await withQueue(async ({ store, clock }) => {
    const ids = ulidIds(clock, Math.random);
    const queue = () => store.write("maintenance", (tx) => queueMaintenance(tx, { clock, ids }));
    deepStrictEqual([await queue(), await queue()], [true, false]);
    clock.pass(2 * 3_600_000);
    strictEqual(await queue(), false);
    const succeed = () =>
      store.write("maintenance", (tx) => tx.run(sql`update tasks set status = 'success'`));
    await succeed();
    strictEqual(await queue(), true);
    await succeed();
    // The clock was ahead and has been set right.
    clock.pass(-24 * 3_600_000);
    deepStrictEqual([await queue(), await queue()], [true, false]);
  });
});

Deno.test("maintenanceHandler() deletes idempotency records after 30 days", async () => {
  await withQueue(async (fixture) => {
    const { store, clock } = fixture;
    const ended = deferred();
    const blobs = new FolderBlobs(join(store.path, "..", "blobs"), Math.random);
    const queue = fixture.queue("a");
    const handler = maintenanceHandler(systemJobs({ store, clock, blobs }));
    queue.register({
      ...handler,
      onStatusChange: (_, __, status) =>
        Promise.resolve(status === "success" ? ended.resolve() : undefined),
    });
    for (const [key, day] of [["old", "2025-12-01"], ["recent", "2025-12-03"]]) {
      await store.write(
        "maintenance",
        (tx) =>
          tx.run(sql`insert into idempotency (project, key, command, status, created_at)
          values (1, ${key}, '', 200, ${`${day}T00:00:00.000Z`})`),
      );
    }
    const ids = ulidIds(clock, Math.random);
    await store.write("maintenance", (tx) => queueMaintenance(tx, { clock, ids }));
    const runner = fixture.runner(queue);
    await runner.start();
    await ended.promise;
    await runner.stop();
    const remaining = await store.read((db) => db.all(sql`select key from idempotency`));
    deepStrictEqual(remaining.map((row) => (row as { key: string }).key), ["recent"]);
    const filter = { kinds: [], statuses: [] };
    const [task] = await store.read((db) => listTasks(db, NO_PROJECT, filter, null, 1));
    strictEqual(JSON.parse(task!.result!).idempotency_records, 1);
  });
});

Deno.test("maintenanceHandler() runs the other jobs if one fails, and then fails", async () => {
  const ran: string[] = [];
  const job = (name: string, fail: boolean) => ({
    name,
    run() {
      ran.push(name);
      return fail ? Promise.reject(new Error(name)) : Promise.resolve(1);
    },
  });
  const jobs = [job("first", true), job("second", false), job("third", true)];
  const context = {
    signal: new AbortController().signal,
    task: { payload: "{}" },
  } as TaskContext;
  await rejects(async () => await maintenanceHandler(jobs).run(context), (error) => {
    ok(error instanceof AggregateError);
    deepStrictEqual(error.errors.map(String), ["Error: first", "Error: third"]);
    return true;
  });
  deepStrictEqual(ran, ["first", "second", "third"]);
});
