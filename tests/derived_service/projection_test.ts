/**
 * Checks that the projector runs again after failures, and never reads a text more often than
 * needed.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import { countUnread, listUnread } from "../../src/memories/claims/unread_texts.ts";
import { appendJournal } from "../../src/store/journal.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { ACTOR, withProjector } from "./projector_fixture.ts";

const HOUR_MS = 3_600_000;

Deno.test("DerivedProjector.periodicJob() queues projects whose journal has grown, and others within a minute", async () => {
  await withProjector(async ({ queueFixture: { store, clock }, projector, reader, now }) => {
    const job = projector.periodicJob();
    const execute = (query: Sql) => store.write("maintenance", (tx) => tx.run(query));
    /** Runs the job, and returns whether it has queued the project. Its last run then succeeds. */
    const isQueued = async () => {
      await job.run();
      return await execute(sql`update tasks set status = 'success' where status = 'pending'`) > 0;
    };
    strictEqual(await isQueued(), false);
    await store.write("maintenance", (tx) => {
      appendJournal(tx, 1, { kind: "memory", recordId: "m", change: "ADD", at: now() });
      return Promise.resolve();
    });
    strictEqual(await isQueued(), true);
    // The run has missed the change.
    strictEqual(await isQueued(), true);
    await execute(sql`insert into derived_progress (project, position, reader)
      select 1, max(seq), ${reader.name} from journal`);
    strictEqual(await isQueued(), false);
    await execute(sql`update derived_progress set reader = 'an earlier version'`);
    strictEqual(await isQueued(), false);
    clock.pass(60_000);
    strictEqual(await isQueued(), true);
    // An older program has left the run to the next one.
    strictEqual(await isQueued(), true);
  });
});

Deno.test("DerivedProjector.enqueueLagging() retries a dead run after an hour, or at once if only kills ended it", async () => {
  await withProjector(async ({ queueFixture: { store, clock }, projector, now }) => {
    await store.write("maintenance", (tx) => {
      appendJournal(tx, 1, { kind: "memory", recordId: "m", change: "ADD", at: now() });
      return Promise.resolve();
    });
    const statuses = async () =>
      (await store.read((db) =>
        db.all<{ status: string }>(sql`select status from tasks where kind = 'derive'`)
      )).map(({ status }) => status);
    const statusesAfter = async (passed: number) => {
      clock.pass(passed);
      await projector.enqueueLagging();
      return await statuses();
    };
    deepStrictEqual(await statusesAfter(0), ["pending"]);
    await store.write(
      "maintenance",
      (tx) => tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}`),
    );
    deepStrictEqual(await statusesAfter(HOUR_MS / 2), ["dead"]);
    deepStrictEqual(await statusesAfter(-HOUR_MS), ["pending"], "the clock was ahead when it died");
    await store.write(
      "maintenance",
      (tx) => tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}`),
    );
    deepStrictEqual(await statusesAfter(HOUR_MS / 2), ["dead"]);
    deepStrictEqual(await statusesAfter(HOUR_MS), ["pending"]);
    deepStrictEqual(await statusesAfter(HOUR_MS), ["pending"]);
    const exhausted = '{"code":"task_queue_delivery_exhausted"}';
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}, error = ${exhausted},
        crashes = 1`),
    );
    deepStrictEqual(
      await statusesAfter(0),
      ["pending"],
      "kills with progress between them don't block the next run",
    );
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}, error = ${exhausted},
        crashes = 3`),
    );
    deepStrictEqual(
      await statusesAfter(0),
      ["dead"],
      "three kills without progress block the next run",
    );
  });
});

Deno.test("DerivedProjector reads memories only once if they are added during a build", async () => {
  let isAdded = false;
  await withProjector(async ({ add, derive, isUpToDate }) => {
    await add(60);
    deepStrictEqual((await derive()).result, { memories: 180 });
    strictEqual(await isUpToDate(), true);
  }, async ({ add }) => {
    if (!isAdded) await add(120);
    isAdded = true;
  });
});

Deno.test("DerivedProjector continues a build, but not that of another engine", async () => {
  await withProjector(async ({ add, derive, isUpToDate, reader }) => {
    await add(30);
    const progress = { after: 10, last: 30, head: 30 };
    deepStrictEqual((await derive({ ...progress, reader: reader.name })).result, { memories: 20 });
    strictEqual(await isUpToDate(), true);
    reader.name = "newer";
    deepStrictEqual((await derive({ ...progress, reader: "older" })).result, { memories: 30 });
    strictEqual(await isUpToDate(), true);
    reader.name = "newest";
    // As the first versions saved it.
    deepStrictEqual((await derive({ after: 10, head: 30 })).result, { memories: 30 });
    strictEqual(await isUpToDate(), true);
  });
});

Deno.test("DerivedProjector continues the build of a run that died", async () => {
  await withProjector(async ({ queueFixture: { store, clock }, projector, add, derive, now }) => {
    await add(30);
    await projector.enqueueLagging();
    const progress = JSON.stringify({ after: 10, last: 30, head: 30, reader: "none" });
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`update tasks set status = 'dead', completed_at = ${now()},
          progress = ${progress}`),
    );
    clock.pass(2 * HOUR_MS);
    deepStrictEqual((await derive()).result, { memories: 20 });
  });
});

Deno.test("DerivedProjector begins again if a run died with progress that can't be read", async () => {
  await withProjector(async ({ queueFixture: { store, clock }, projector, add, derive, now }) => {
    await add(30);
    await projector.enqueueLagging();
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`update tasks set status = 'dead', completed_at = ${now()},
          progress = '{"after":10,'`),
    );
    clock.pass(2 * HOUR_MS);
    deepStrictEqual((await derive()).result, { memories: 30 });
  });
});

Deno.test("DerivedProjector continues the newest of several builds that died", async () => {
  await withProjector(async ({ queueFixture: { store, clock }, add, derive, now }) => {
    await add(30);
    const die = (id: string, kind: string, after: number) =>
      store.write(
        "maintenance",
        (tx) =>
          tx.run(sql`insert into tasks
            (id, project, kind, status, max_attempts, payload, progress, created_at, updated_at,
              completed_at) values
            (${id}, 1, ${kind}, 'dead', 5, '{}',
              ${JSON.stringify({ after, last: 30, head: 30, reader: "none" })},
              ${now()}, ${now()}, ${now()})`),
      );
    await die("op_1", "rebuild", 20);
    await die("op_2", "derive", 10);
    clock.pass(2 * HOUR_MS);
    deepStrictEqual((await derive()).result, { memories: 20 });
  });
});

Deno.test("DerivedProjector lets other projects take turns with the build of a large one", async () => {
  const read: number[] = [];
  await withProjector(async ({ queueFixture, projector, add, reader }) => {
    const { store, clock } = queueFixture;
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`insert into projects (number, id, name, created_at)
          values (2, 'proj_2', 'other', '2026-01-01T00:00:00.000Z')`),
    );
    await add(120);
    await add(1, 2);
    const readTexts = reader.read;
    reader.read = (texts, signal) => {
      read.push(texts.length);
      clock.pass(10_000);
      return readTexts(texts, signal);
    };
    const queue = queueFixture.queue("a");
    queue.register(...projector.handlers());
    const runner = queueFixture.runner(queue);
    await projector.enqueueLagging();
    await runner.start();
    const attempts = await waitUntil(
      () =>
        store.read((db) =>
          db.all<{ attempts: number }>(sql`select attempts from tasks where status = 'success'`)
        ),
      (ended) => ended.length === 2,
    );
    await runner.stop();
    deepStrictEqual(read, [50, 1, 50, 20]);
    deepStrictEqual(attempts.map((task) => task.attempts), [1, 1], "turns aren't attempts");
  });
});

Deno.test("DerivedProjector sets aside a text that can't be read, and reads those behind it", async () => {
  await withProjector(
    async ({ queueFixture: { store }, add, derive, isUpToDate, reader, memories }) => {
      reader.unreadable = /^It is 1\.$/;
      const ids = await add(3);
      deepStrictEqual((await derive()).result, { memories: 3 });
      strictEqual(await isUpToDate(), true);
      const unread = () => store.read((db) => listUnread(db, 1, null, 10));
      deepStrictEqual(
        (await unread()).map(({ record_id, reader, code }) => [record_id, reader, code]),
        [[ids[1], "none", "ENGINE_ERROR"]],
      );
      deepStrictEqual(await store.read((db) => countUnread(db, 1)), 1);
      // A newer engine reads it again, along with the others.
      reader.name = "newer";
      deepStrictEqual((await derive()).result, { memories: 3 });
      deepStrictEqual((await unread()).map(({ reader }) => reader), ["newer"]);
      reader.name = "newest";
      reader.unreadable = null;
      deepStrictEqual((await derive()).result, { memories: 3 });
      deepStrictEqual(await unread(), []);
      // It's forgotten along with its memory.
      reader.unreadable = /./;
      const [last] = await add(1);
      await derive();
      deepStrictEqual((await unread()).length, 1);
      await store.write("maintenance", (tx) => memories.delete(tx, ACTOR, last!));
      deepStrictEqual(await unread(), []);
    },
  );
});

Deno.test("DerivedProjector leaves the cores to a large import between its steps, and still finishes", async () => {
  let asked = 0;
  await withProjector(
    async ({ add, derive, isUpToDate }) => {
      await add(60);
      deepStrictEqual((await derive()).result, { memories: 60 });
      strictEqual(asked, 1, "before the step after the first 50");
      ok(await isUpToDate());
    },
    undefined,
    () => {
      asked++;
      return Promise.resolve(true);
    },
  );
});

Deno.test("DerivedProjector reads changed memories again, but not rated ones", async () => {
  await withProjector(
    async ({ queueFixture: { store }, feedback, memories, add, derive, isUpToDate }) => {
      const [rated, changed] = await add(2);
      deepStrictEqual((await derive()).result, { memories: 2 });
      await store.write(
        "maintenance",
        (tx) => feedback.set(tx, ACTOR, rated!, { rating: "positive" }),
      );
      await store.write(
        "maintenance",
        (tx) => memories.update(tx, ACTOR, changed!, { content: "I live in Faro." }),
      );
      deepStrictEqual((await derive()).result, { memories: 1 });
      strictEqual(await isUpToDate(), true);
    },
  );
});

Deno.test("DerivedProjector leaves a run that another version has queued to that version", async () => {
  await withProjector(async ({ projector, add, derive, isUpToDate, reader }) => {
    await add(2);
    reader.name = "newer";
    await projector.enqueueLagging();
    reader.name = "none";
    deepStrictEqual((await derive()).result, { memories: 0 });
    deepStrictEqual((await derive()).result, { memories: 2 });
    strictEqual(await isUpToDate(), true);
  });
});

Deno.test("DerivedProjector doesn't read a text again that an earlier attempt has set aside", async () => {
  const read: string[] = [];
  await withProjector(async ({ queueFixture: { store, clock }, add, derive, reader }) => {
    await add(1);
    await derive();
    reader.unreadable = /^It is 1\.$/;
    await add(3);
    clock.pass(1_000);
    await derive();
    // As if the attempt had ended before it could save its position.
    await store.write("maintenance", (tx) => tx.run(sql`update derived_progress set position = 0`));
    const readTexts = reader.read;
    reader.read = (texts, signal) => {
      read.push(...texts.map(({ text }) => text));
      return readTexts(texts, signal);
    };
    await derive();
    deepStrictEqual(read, ["It is 0.", "It is 0.", "It is 2."]);
  });
});
