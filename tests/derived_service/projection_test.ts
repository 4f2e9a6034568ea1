/** Following goes on: a run that died holds it up for a while, and no text is read without need. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { type ClaimExtractor, DerivedProjector } from "../../src/derived/projector.ts";
import { Cursors } from "../../src/kernel/cursor.ts";
import { ulidIds } from "../../src/kernel/ids.ts";
import { FeedbackService } from "../../src/memories/feedback.ts";
import { MemoryService } from "../../src/memories/service.ts";
import { Blobs } from "../../src/store/blobs.ts";
import { appendJournal } from "../../src/store/journal.ts";
import type { TaskResult } from "../../src/tasks/handler.ts";
import { type QueueFixture, withQueue } from "../tasks/queue_fixture.ts";

const HOUR_MS = 3_600_000;

const ACTOR = { project: 1, projectId: "proj_1", requestId: "req_1" };

const NEW = {
  scope: { user_id: "ana" },
  metadata: undefined,
  memory_type: "fact",
  importance: 0.5,
  event_date: null,
} as const;

Deno.test("a derivation that died is tried anew after an hour, one that kills wore out at once", async () => {
  await withFollower(async ({ bench: { store, clock }, follower, now }) => {
    await store.write((tx) =>
      appendJournal(tx, 1, { kind: "memory", recordId: "m", change: "ADD", at: now() })
    );
    const statuses = async () =>
      (await store.read((db) =>
        db.all<{ status: string }>(sql`select status from tasks where kind = 'derive'`)
      )).map(({ status }) => status);
    const look = async (passed: number) => {
      clock.pass(passed);
      await follower.enqueueLagging();
      return await statuses();
    };
    deepStrictEqual(await look(0), ["pending"]);
    await store.write((tx) =>
      tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}`)
    );
    deepStrictEqual(await look(HOUR_MS / 2), ["dead"]);
    deepStrictEqual(await look(HOUR_MS), ["pending"]);
    deepStrictEqual(await look(HOUR_MS), ["pending"]);
    const worn = '{"code":"task_queue_delivery_exhausted"}';
    await store.write((tx) =>
      tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}, error = ${worn},
        crashes = 1`)
    );
    deepStrictEqual(await look(0), ["pending"], "kills with progress between them don't count");
    await store.write((tx) =>
      tx.run(sql`update tasks set status = 'dead', completed_at = ${now()}, error = ${worn},
        crashes = 3`)
    );
    deepStrictEqual(await look(0), ["dead"], "three without progress are the task's own doing");
  });
});

Deno.test("memories that come while the views are being built are read once, as those before", async () => {
  let came = false;
  await withFollower(async ({ add, derive, followed }) => {
    await add(60);
    deepStrictEqual((await derive()).result, { memories: 180 });
    strictEqual(await followed(), true);
  }, async ({ add }) => {
    if (!came) await add(120);
    came = true;
  });
});

Deno.test("a walk that an earlier build began is gone on with", async () => {
  await withFollower(async ({ add, derive, followed }) => {
    await add(30);
    // It had read ten, and knew the journal as it was then.
    deepStrictEqual((await derive({ after: 10, head: 10 })).result, { memories: 40 });
    strictEqual(await followed(), true);
  });
});

Deno.test("a rating is followed without reading the memory again, a change is read", async () => {
  await withFollower(async ({ bench: { store }, feedback, memories, add, derive, followed }) => {
    const [rated, changed] = await add(2);
    deepStrictEqual((await derive()).result, { memories: 2 });
    await store.write((tx) => feedback.set(tx, ACTOR, rated!, { rating: "positive" }));
    await store.write((tx) => memories.update(tx, ACTOR, changed!, { content: "I live in Faro." }));
    deepStrictEqual((await derive()).result, { memories: 1 });
    strictEqual(await followed(), true);
  });
});

interface FollowerFixture {
  readonly bench: QueueFixture;
  readonly follower: DerivedProjector;
  readonly memories: MemoryService;
  readonly feedback: FeedbackService;
  now(): string;
  /** Adds so many memories and answers their ids. */
  add(count: number): Promise<string[]>;
  /** Queues what lags behind and has it derived, from where an attempt before it came to. */
  derive(progress?: unknown): Promise<TaskResult>;
  /** Whether nothing is left to follow. */
  followed(): Promise<boolean>;
}

/**
 * Runs a test on a project of its own, which claims nothing.
 *
 * @param beside what happens whenever texts are being read
 */
async function withFollower(
  work: (bench: FollowerFixture) => Promise<void>,
  beside: (bench: FollowerFixture) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await withQueue(async (bench) => {
    const { store, clock } = bench;
    const ids = ulidIds(clock, Math.random);
    const blobs = new Blobs(join(store.path, "../blobs"), Math.random);
    const appContext = { store, blobs, clock, ids, cursors: new Cursors("secret") };
    const read: ClaimExtractor = async (texts) => {
      await beside(given);
      return texts.map(() => []);
    };
    const follower = new DerivedProjector(appContext, read);
    const memories = new MemoryService(appContext);
    const queue = bench.queue("a");
    const [handler] = follower.handlers();
    const now = () => new Date(clock.now()).toISOString();
    const given: FollowerFixture = {
      bench,
      follower,
      memories,
      feedback: new FeedbackService(appContext),
      now,
      async add(count) {
        const texts = Array.from({ length: count }, (_, n) => `It is ${n}.`);
        const added = { ...NEW, texts };
        return (await store.write((tx) => memories.add(tx, ACTOR, added))).map(({ id }) => id);
      },
      async derive(progress) {
        await follower.enqueueLagging();
        const [task] = await queue.claim(new Map([["derive", 1]]));
        const result = await handler!.run({
          task: { ...task!, progress: progress ?? null },
          signal: new AbortController().signal,
          commit: (work) => queue.commit(task!, work),
          saveProgress: (tx, progress) => queue.saveProgress(tx, task!, progress),
        });
        await queue.succeed(task!, () => Promise.resolve(result as TaskResult));
        return result as TaskResult;
      },
      async followed() {
        await follower.enqueueLagging();
        return (await queue.claim(new Map([["derive", 1]]))).length === 0;
      },
    };
    await store.write((tx) =>
      tx.run(sql`insert into projects (number, id, name, created_at)
        values (1, 'proj_1', 'default', ${now()})`)
    );
    await work(given);
  });
}
