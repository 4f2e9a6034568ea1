/** The worker: who does what when, and what becomes of attempts that end badly. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import { LeaseLostError, TaskError } from "../../src/tasks/errors.ts";
import { LEASE_MS, type TaskQueue } from "../../src/tasks/queue.ts";
import { deferred, type QueueFixture, testHandler, withQueue } from "./queue_fixture.ts";

const NOTHING = { result: {} };

Deno.test("a task is taken up as soon as it is committed, and its result kept", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    const ended = deferred();
    queue.register(testHandler("export", (context) => {
      deepStrictEqual(context.task.payload, { ask: 1 });
      return Promise.resolve({ result: { found: 2 } });
    }, {
      onStatusChange: (_, __, status) =>
        Promise.resolve(status === "success" && ended.resolve()) as Promise<void>,
    }));
    const runner = bench.runner(queue);
    await runner.start();
    const id = await bench.enqueue("export", { ask: 1 });
    await ended.promise;
    await runner.stop();
    const task = await bench.task(id);
    strictEqual(task.status, "success");
    strictEqual(task.result, '{"found":2}');
    strictEqual(task.attempts, 1);
    ok(task.started_at !== null && task.completed_at !== null);
  });
});

Deno.test("no more tasks of a kind run at once than its concurrency", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    let [running, most, done] = [0, 0, 0];
    const all = deferred();
    queue.register(testHandler("export", async (context) => {
      most = Math.max(most, ++running);
      await context.commit(() => Promise.resolve());
      running--;
      if (++done === 9) all.resolve();
      return NOTHING;
    }, { concurrency: 3 }));
    for (let count = 0; count < 9; count++) await bench.enqueue("export");
    const runner = bench.runner(queue);
    await runner.start();
    await all.promise;
    await runner.stop();
    strictEqual(most, 3);
  });
});

/** Runs a handler's attempts one after the other until the task has ended or waits. */
async function attempt(bench: QueueFixture, queue: TaskQueue, id: string) {
  const runner = bench.runner(queue);
  await runner.start();
  for (;;) {
    const task = await bench.task(id);
    const due = task.status === "retry" && Date.parse(task.next_attempt_at!) <= bench.clock.now();
    if (!due && !["pending", "processing"].includes(task.status)) {
      await runner.stop();
      return task;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

Deno.test("an error that may pass is tried again after 10, 30, 90 and 270 s, then the task is dead", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    queue.register(testHandler("export", () => Promise.reject(new TaskError("BUSY", "Not now"))));
    const id = await bench.enqueue("export");
    for (const [index, seconds] of [10, 30, 90, 270].entries()) {
      const task = await attempt(bench, queue, id);
      strictEqual(task.status, "retry");
      strictEqual(task.attempts, index + 1);
      const wait = Date.parse(task.next_attempt_at!) - bench.clock.now();
      ok(Math.abs(wait - seconds * 1_000) <= seconds * 100, `${wait} ms`);
      bench.clock.pass(wait);
    }
    const task = await attempt(bench, queue, id);
    strictEqual(task.status, "dead");
    strictEqual(task.attempts, 5);
    deepStrictEqual(JSON.parse(task.error!), {
      code: "BUSY",
      message: "Not now",
      retryable: true,
      attempt: 5,
      occurred_at: task.completed_at,
    });
  });
});

Deno.test("an error that can't pass makes the task dead at once, and so does a refusal of ours", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    const errors = [
      new TaskError("DOCUMENT_CORRUPT", "No PDF", { retryable: false }),
      new ApiError("MEMORY_NOT_FOUND", "No memory"),
    ];
    for (const error of errors) {
      queue.register(testHandler("export", () => Promise.reject(error)));
      const task = await attempt(bench, queue, await bench.enqueue("export"));
      strictEqual(task.status, "dead");
      strictEqual(task.attempts, 1);
      strictEqual(JSON.parse(task.error!).code, error.code);
    }
  });
});

Deno.test("a handler that throws before it waits for anything fails its attempt like any other", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    queue.register(testHandler("export", () => {
      throw new TaskError("DOCUMENT_CORRUPT", "No PDF", { retryable: false });
    }));
    const task = await attempt(bench, queue, await bench.enqueue("export"));
    strictEqual(task.status, "dead");
  });
});

Deno.test("what an attempt can't let go of takes nothing from it, in time or late", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    const [late, released] = [deferred(), deferred()];
    const held = {
      finalize: () => Promise.resolve(NOTHING),
      async dispose() {
        await late.promise;
        released.resolve();
        throw new Error("The disk refuses");
      },
    };
    queue.register(testHandler("import", () => late.promise.then(() => held), { timeLimitMs: 1 }));
    strictEqual((await attempt(bench, queue, await bench.enqueue("import"))).status, "retry");
    late.resolve();
    await released.promise;
    queue.register(testHandler("export", () => Promise.resolve(held)));
    strictEqual((await attempt(bench, queue, await bench.enqueue("export"))).status, "success");
  });
});

Deno.test("what went wrong inside is not told to clients", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    queue.register(testHandler("export", () => Promise.reject(new Error("secret path"))));
    const task = await attempt(bench, queue, await bench.enqueue("export"));
    strictEqual(task.status, "retry");
    ok(!task.error!.includes("secret"));
    strictEqual(JSON.parse(task.error!).code, "INTERNAL_ERROR");
  });
});

Deno.test("a worker whose lease was taken can't write, and its progress serves the next", async () => {
  await withQueue(async (bench) => {
    const [first, second] = [bench.queue("a"), bench.queue("b")];
    const id = await bench.enqueue("export");
    const room = new Map([["export", 1]] as const);
    const [held] = await first.claim(room);
    await first.commit(held!, (tx) => first.saveProgress(tx, held!, { done: 3 }));
    bench.clock.pass(LEASE_MS + 1);
    strictEqual(await second.reapExpired(), 1);
    const [taken] = await second.claim(room);
    deepStrictEqual(taken!.progress, { done: 3 });
    strictEqual(taken!.attempt, 2);
    const forbidden = (work: () => Promise<void>) => rejects(work, LeaseLostError);
    await forbidden(() =>
      first.commit(held!, async (tx) => {
        await tx.run(sql`insert into meta (name, value) values ('late', '')`);
      })
    );
    await forbidden(() => first.succeed(held!, () => Promise.resolve(NOTHING)));
    await forbidden(() => first.fail(held!, new TaskError("X", "Late")));
    deepStrictEqual(await first.renew([held!]), [held]);
    strictEqual(
      await bench.store.read((db) => db.first(sql`select 1 from meta where name = 'late'`)),
      undefined,
    );
    await second.succeed(taken!, () => Promise.resolve(NOTHING));
    strictEqual((await bench.task(id)).status, "success");
  });
});

Deno.test("three workers lost in a row without progress make a task dead, with its own code", async () => {
  await withQueue(async (bench) => {
    const id = await bench.enqueue("export");
    for (const boot of ["a", "b", "c"]) {
      const queue = bench.queue(boot);
      await queue.reapOrphaned();
      ok(await queue.claimOne(1, id));
    }
    await bench.queue("d").reapOrphaned();
    const task = await bench.task(id);
    strictEqual(task.status, "dead");
    strictEqual(JSON.parse(task.error!).code, "LEASE_LOST");
  });
});

Deno.test("a task whose last attempt ends with its worker is dead as undeliverable", async () => {
  await withQueue(async (bench) => {
    const id = await bench.enqueue("export");
    for (let boot = 1; boot <= 5; boot++) {
      const queue = bench.queue(`${boot}`);
      await queue.reapOrphaned();
      const task = (await queue.claimOne(1, id))!;
      await queue.commit(task, (tx) => queue.saveProgress(tx, task, { boot }));
    }
    await bench.queue("last").reapOrphaned();
    const task = await bench.task(id);
    strictEqual(task.status, "dead");
    strictEqual(task.attempts, 5);
    strictEqual(JSON.parse(task.error!).code, "task_queue_delivery_exhausted");
  });
});

Deno.test("a stop gives a running attempt back without counting it", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    const begun = deferred();
    queue.register(testHandler("export", () => {
      begun.resolve();
      return new Promise(() => {});
    }, { resumable: true }));
    const runner = bench.runner(queue);
    await runner.start();
    const id = await bench.enqueue("export");
    await begun.promise;
    await runner.stop();
    const task = await bench.task(id);
    strictEqual(task.status, "pending");
    strictEqual(task.attempts, 0);
  });
});

Deno.test("an attempt that takes too long fails with the code of its kind", async () => {
  await withQueue(async (bench) => {
    const queue = bench.queue("a");
    queue.register(testHandler("document_extract", () => new Promise(() => {}), {
      timeLimitMs: 5,
      timeoutCode: "EXTRACTION_TIMEOUT",
    }));
    const task = await attempt(bench, queue, await bench.enqueue("document_extract"));
    strictEqual(task.status, "retry");
    strictEqual(JSON.parse(task.error!).code, "EXTRACTION_TIMEOUT");
  });
});
