/** TaskRunner: which tasks run when, and what happens when attempts fail. */

import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import { systemTimers, type Timers } from "../../src/kernel/timers.ts";
import type { Owner } from "../../src/store/store.ts";
import { LeaseLostError, TaskError, TurnOverError } from "../../src/tasks/errors.ts";
import { LEASE_MS, type TaskQueue } from "../../src/tasks/queue.ts";
import type { TaskKind } from "../../src/tasks/states.ts";
import { deferred, type QueueFixture, testHandler, withQueue } from "./queue_fixture.ts";

const NOTHING = { result: {} };

Deno.test("TaskRunner runs a task as soon as it is committed, and stores its result", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const ended = deferred();
    queue.register(testHandler("export", (context) => {
      strictEqual(context.task.payload, '{"ask":1}');
      return Promise.resolve({ result: { found: 2 } });
    }, {
      onStatusChange: (_, __, status) =>
        Promise.resolve(status === "success" && ended.resolve()) as Promise<void>,
    }));
    const runner = fixture.runner(queue);
    await runner.start();
    const id = await fixture.enqueue("export", { ask: 1 });
    await ended.promise;
    await runner.stop();
    const task = await fixture.task(id);
    strictEqual(task.status, "success");
    strictEqual(task.result, '{"found":2}');
    strictEqual(task.attempts, 1);
    ok(task.started_at !== null && task.completed_at !== null);
  });
});

Deno.test("TaskRunner runs at most `concurrency` tasks of a kind at the same time", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    let [running, maxRunning, done] = [0, 0, 0];
    const all = deferred();
    queue.register(testHandler("export", async (context) => {
      maxRunning = Math.max(maxRunning, ++running);
      await context.commit(() => Promise.resolve());
      running--;
      if (++done === 9) all.resolve();
      return NOTHING;
    }, { concurrency: 3 }));
    for (let count = 0; count < 9; count++) await fixture.enqueue("export");
    const runner = fixture.runner(queue);
    await runner.start();
    await all.promise;
    await runner.stop();
    strictEqual(maxRunning, 3);
  });
});

Deno.test("TaskRunner runs the tasks of projects in turn, however many one of them has", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const ran: number[] = [];
    const all = deferred();
    queue.register(testHandler("export", ({ task }) => {
      if (ran.push(task.project) === 7) all.resolve();
      return Promise.resolve(NOTHING);
    }));
    for (const project of [2, 2, 2, 2, 1, 3, 3]) await fixture.enqueue("export", {}, project);
    const runner = fixture.runner(queue);
    await runner.start();
    await all.promise;
    await runner.stop();
    deepStrictEqual(ran, [1, 2, 3, 2, 3, 2, 2]);
  });
});

Deno.test("TaskRunner releases an attempt whose turn is over, and continues it after other projects", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const ran: unknown[] = [];
    const all = deferred();
    queue.register(testHandler("export", async ({ task, ...context }) => {
      const { project, progress, attempt } = task;
      if (ran.push([project, progress, attempt]) === 4) all.resolve();
      const step = Number(progress) + 1;
      if (project === 2 || step === 3) return NOTHING;
      await context.commit((tx) => context.saveProgress(tx, step));
      throw new TurnOverError();
    }));
    for (const project of [1, 2]) await fixture.enqueue("export", {}, project);
    const runner = fixture.runner(queue);
    await runner.start();
    await all.promise;
    await runner.stop();
    deepStrictEqual(ran, [[1, null, 1], [2, null, 1], [1, "1", 1], [1, "2", 1]]);
  });
});

/** Runs attempts at a task until the task has ended or is waiting for its next attempt. */
async function attempt(fixture: QueueFixture, queue: TaskQueue, id: string, timers?: Timers) {
  const runner = fixture.runner(queue, timers);
  await runner.start();
  for (;;) {
    const task = await fixture.task(id);
    const due = task.status === "retry" && Date.parse(task.next_attempt_at!) <= fixture.clock.now();
    if (!due && !["pending", "processing"].includes(task.status)) {
      await runner.stop();
      return task;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

Deno.test("TaskRunner retries a temporary error after 10, 30, 90 and 270 s, and then the task is dead", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    queue.register(testHandler("export", () => Promise.reject(new TaskError("BUSY", "Not now"))));
    const id = await fixture.enqueue("export");
    for (const [index, seconds] of [10, 30, 90, 270].entries()) {
      const task = await attempt(fixture, queue, id);
      strictEqual(task.status, "retry");
      strictEqual(task.attempts, index + 1);
      const delay = Date.parse(task.next_attempt_at!) - fixture.clock.now();
      ok(Math.abs(delay - seconds * 1_000) <= seconds * 100, `${delay} ms`);
      fixture.clock.pass(delay);
    }
    const task = await attempt(fixture, queue, id);
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

Deno.test("TaskQueue.claim() claims a task at once that failed while the clock was ahead", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const capacity = new Map([["export", 1]] as const);
    await fixture.enqueue("export");
    fixture.clock.pass(24 * 3_600_000);
    const [task] = await queue.claim(capacity);
    await queue.fail(task!, new TaskError("BUSY", "Not now"));
    deepStrictEqual(await queue.claim(capacity), []);
    fixture.clock.pass(-24 * 3_600_000);
    strictEqual((await queue.claim(capacity)).length, 1);
  });
});

Deno.test("TaskRunner immediately marks a task as dead if its error is not retryable or has a status below 500", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const errors = [
      new TaskError("DOCUMENT_CORRUPT", "No PDF", { retryable: false }),
      new ApiError("MEMORY_NOT_FOUND", "No memory"),
    ];
    for (const error of errors) {
      queue.register(testHandler("export", () => Promise.reject(error)));
      const task = await attempt(fixture, queue, await fixture.enqueue("export"));
      strictEqual(task.status, "dead");
      strictEqual(task.attempts, 1);
      strictEqual(JSON.parse(task.error!).code, error.code);
    }
  });
});

Deno.test("TaskRunner fails an attempt if its handler throws synchronously", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    queue.register(testHandler("export", () => {
      throw new TaskError("DOCUMENT_CORRUPT", "No PDF", { retryable: false });
    }));
    const task = await attempt(fixture, queue, await fixture.enqueue("export"));
    strictEqual(task.status, "dead");
  });
});

Deno.test("TaskRunner ignores errors from dispose(), both before and after the attempt has ended", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const [late, released] = [deferred(), deferred()];
    const disposable = {
      finalize: () => Promise.resolve(NOTHING),
      async dispose() {
        await late.promise;
        released.resolve();
        throw new Error("The disk failed");
      },
    };
    queue.register(
      testHandler("import", () => late.promise.then(() => disposable), { timeLimitMs: 1 }),
    );
    strictEqual((await attempt(fixture, queue, await fixture.enqueue("import"))).status, "retry");
    late.resolve();
    await released.promise;
    queue.register(testHandler("export", () => Promise.resolve(disposable)));
    strictEqual((await attempt(fixture, queue, await fixture.enqueue("export"))).status, "success");
  });
});

Deno.test("TaskRunner does not show unexpected errors to clients", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    queue.register(testHandler("export", () => Promise.reject(new Error("secret path"))));
    const task = await attempt(fixture, queue, await fixture.enqueue("export"));
    strictEqual(task.status, "retry");
    ok(!task.error!.includes("secret"));
    strictEqual(JSON.parse(task.error!).code, "INTERNAL_ERROR");
  });
});

Deno.test("TaskQueue prevents writes from a worker that lost its lease, and keeps the worker's progress", async () => {
  await withQueue(async (fixture) => {
    const [first, second] = [fixture.queue("a"), fixture.queue("b")];
    const id = await fixture.enqueue("export");
    const capacity = new Map([["export", 1]] as const);
    const [lost] = await first.claim(capacity);
    await first.commit(lost!, (tx) => first.saveProgress(tx, lost!, { done: 3 }));
    fixture.clock.pass(LEASE_MS + 1);
    strictEqual(await second.reapExpired(), 1);
    const [current] = await second.claim(capacity);
    strictEqual(current!.progress, '{"done":3}');
    strictEqual(current!.attempt, 2);
    const rejectsLate = (work: () => Promise<void>) => rejects(work, LeaseLostError);
    await rejectsLate(() =>
      first.commit(lost!, async (tx) => {
        await tx.run(sql`insert into meta (name, value) values ('late', '')`);
      })
    );
    await rejectsLate(() => first.succeed(lost!, () => Promise.resolve(NOTHING)));
    await rejectsLate(() => first.fail(lost!, new TaskError("X", "Late")));
    deepStrictEqual(await first.renew([lost!]), [lost]);
    strictEqual(
      await fixture.store.read((db) => db.first(sql`select 1 from meta where name = 'late'`)),
      undefined,
    );
    await second.succeed(current!, () => Promise.resolve(NOTHING));
    strictEqual((await fixture.task(id)).status, "success");
  });
});

Deno.test("TaskQueue makes all attempts at a task whose workers are lost in a row, with a growing delay", async () => {
  await withQueue(async (fixture) => {
    const id = await fixture.enqueue("export");
    for (const [attempt, seconds] of [0, 10, 30, 90].entries()) {
      ok(await fixture.queue(`${attempt}`).claimOne(1, id));
      await fixture.queue("next").reapOrphaned();
      const { status, error, next_attempt_at } = await fixture.task(id);
      deepStrictEqual([status, JSON.parse(error!).code], ["retry", "LEASE_LOST"]);
      const delay = Date.parse(next_attempt_at!) - fixture.clock.now();
      ok(delay >= seconds * 900 && delay <= seconds * 1_100, `${delay}`);
      fixture.clock.pass(delay);
    }
    ok(await fixture.queue("4").claimOne(1, id));
    await fixture.queue("next").reapOrphaned();
    const { status, attempts, error } = await fixture.task(id);
    deepStrictEqual([status, attempts], ["dead", 5]);
    strictEqual(JSON.parse(error!).code, "task_queue_delivery_exhausted");
  });
});

Deno.test("TaskQueue.reapExpired() changes a task in a unit of its project, in the journal's order", async () => {
  await withQueue(async (fixture) => {
    const { store } = fixture;
    const queue = fixture.queue("a");
    await fixture.force(await fixture.enqueue("export"), "processing");
    const owners: Owner[] = [];
    const write = store.write.bind(store);
    store.write = (owner, work) => {
      owners.push(owner);
      return write(owner, work);
    };
    strictEqual(await queue.reapExpired(), 1);
    strictEqual(await queue.reapExpired(), 0);
    deepStrictEqual(owners, [1]);
  });
});

Deno.test("TaskQueue leaves tasks of kinds that only a newer version knows to it", async () => {
  await withQueue(async (fixture) => {
    const id = await fixture.enqueue("newer_kind" as TaskKind);
    await fixture.force(id, "processing", "newer");
    fixture.clock.pass(LEASE_MS + 1);
    const older = fixture.queue("older");
    deepStrictEqual([await older.reapExpired(), await older.reapOrphaned()], [0, 0]);
    strictEqual((await fixture.task(id)).status, "processing");
  });
});

Deno.test("TaskQueue marks a task as undeliverable if its worker is lost during the last attempt", async () => {
  await withQueue(async (fixture) => {
    const id = await fixture.enqueue("export");
    for (let boot = 1; boot <= 5; boot++) {
      const queue = fixture.queue(`${boot}`);
      await queue.reapOrphaned();
      const task = (await queue.claimOne(1, id))!;
      await queue.commit(task, (tx) => queue.saveProgress(tx, task, { boot }));
    }
    await fixture.queue("last").reapOrphaned();
    const task = await fixture.task(id);
    strictEqual(task.status, "dead");
    strictEqual(task.attempts, 5);
    strictEqual(JSON.parse(task.error!).code, "task_queue_delivery_exhausted");
  });
});

Deno.test("TaskRunner.stop() waits for a claim in progress and releases its tasks", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const started: string[] = [];
    queue.register(testHandler("export", ({ task }) => {
      started.push(task.id);
      return Promise.resolve({ result: {} });
    }));
    const id = await fixture.enqueue("export");
    const claiming = deferred();
    const claim = queue.claim.bind(queue);
    queue.claim = (capacity) => {
      claiming.resolve();
      return claim(capacity);
    };
    const runner = fixture.runner(queue);
    await runner.start();
    await claiming.promise;
    await runner.stop();
    // Any claim that was still in progress would come before this unit of work.
    await fixture.store.write("maintenance", () => Promise.resolve());
    const { status, attempts } = await fixture.task(id);
    deepStrictEqual([started, status, attempts], [[], "pending", 0]);
  });
});

Deno.test("TaskRunner.stop() releases a running attempt without counting it", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const begun = deferred();
    queue.register(testHandler("export", () => {
      begun.resolve();
      return new Promise(() => {});
    }, { resumable: true }));
    const runner = fixture.runner(queue);
    await runner.start();
    const id = await fixture.enqueue("export");
    await begun.promise;
    await runner.stop();
    const task = await fixture.task(id);
    strictEqual(task.status, "pending");
    strictEqual(task.attempts, 0);
  });
});

Deno.test("TaskRunner.stop() resolves even if the running attempt can't be released", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const begun = deferred();
    queue.register(testHandler("export", () => {
      begun.resolve();
      return new Promise(() => {});
    }, { resumable: true }));
    const runner = fixture.runner(queue);
    await runner.start();
    await fixture.enqueue("export");
    await begun.promise;
    queue.release = () => Promise.reject(new ApiError("STORAGE_UNAVAILABLE", "It was stopped"));
    await runner.stop();
  });
});

Deno.test("TaskRunner fails an attempt that exceeds the time limit with the code for its kind", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    queue.register(testHandler("document_extract", () => new Promise(() => {}), {
      timeLimitMs: 5,
      timeoutCode: "EXTRACTION_TIMEOUT",
    }));
    const task = await attempt(fixture, queue, await fixture.enqueue("document_extract"));
    strictEqual(task.status, "retry");
    strictEqual(JSON.parse(task.error!).code, "EXTRACTION_TIMEOUT");
  });
});

Deno.test("TaskRunner continues an attempt past its time limit for as long as it advances", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const { timers, exceedTimeLimit, timeLimitMs } = controlledTimeLimit();
    let [steps, signal] = [0, new AbortController().signal];
    queue.register(testHandler("export", async (context) => {
      for (signal = context.signal; steps < 3; steps++) {
        context.advance();
        exceedTimeLimit();
      }
      deepStrictEqual([signal.aborted, steps], [false, 3]);
      exceedTimeLimit();
      throws(() => context.advance(), /longer than 3600 seconds/);
      return await new Promise<never>(() => {});
    }, { timeLimitMs }));
    const task = await attempt(fixture, queue, await fixture.enqueue("export"), timers);
    deepStrictEqual([steps, task.status, task.attempts, signal.aborted], [3, "retry", 1, true]);
  });
});

/** Returns timers with a time limit that the test decides when to exceed. */
function controlledTimeLimit() {
  const timeLimitMs = 3_600_000;
  let exceed = () => {};
  const timers: Timers = {
    after(milliseconds, run) {
      if (milliseconds !== timeLimitMs) return systemTimers.after(milliseconds, run);
      exceed = run;
      return () => {};
    },
  };
  return { timers, timeLimitMs, exceedTimeLimit: () => exceed() };
}

Deno.test("TaskRunner releases a resumable attempt that saved progress before it exceeded the time limit", async () => {
  await withQueue(async (fixture) => {
    const queue = fixture.queue("a");
    const { timers, exceedTimeLimit, timeLimitMs } = controlledTimeLimit();
    const ran: unknown[] = [];
    queue.register(testHandler("import_file", async ({ task, ...context }) => {
      ran.push([task.progress, task.attempt]);
      const step = Number(task.progress) + 1;
      await context.commit(async (tx) => {
        if (step < 3) await context.saveProgress(tx, step);
      });
      exceedTimeLimit();
      return await new Promise<never>(() => {});
    }, { timeLimitMs, resumable: true }));
    const task = await attempt(fixture, queue, await fixture.enqueue("import_file"), timers);
    deepStrictEqual(ran, [[null, 1], ["1", 1], ["2", 1]]);
    deepStrictEqual([task.status, task.attempts], ["retry", 1]);
  });
});
