/** Following goes on: a run that died holds it up for a while, and not for good. */

import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { DerivedFollower } from "../../src/derived/follow.ts";
import { Cursors } from "../../src/kernel/cursor.ts";
import { ulidIds } from "../../src/kernel/ids.ts";
import { Blobs } from "../../src/store/blobs.ts";
import { appendJournal } from "../../src/store/journal.ts";
import { withQueue } from "../tasks/house.ts";

const HOUR_MS = 3_600_000;

Deno.test("a derivation that died is tried anew after an hour, one that kills wore out at once", async () => {
  await withQueue(async ({ store, clock }) => {
    const ids = ulidIds(clock, Math.random);
    const blobs = new Blobs(join(store.path, "../blobs"), Math.random);
    const foundation = { store, blobs, clock, ids, cursors: new Cursors("secret") };
    const follower = new DerivedFollower(foundation, () => Promise.resolve([]));
    const now = () => new Date(clock.now()).toISOString();
    await store.write(async (tx) => {
      await tx.run(sql`insert into projects (number, id, name, created_at)
        values (1, 'proj_1', 'default', ${now()})`);
      await appendJournal(tx, 1, { kind: "memory", recordId: "m", change: "ADD", at: now() });
    });
    const statuses = async () =>
      (await store.read((db) =>
        db.all<{ status: string }>(sql`select status from tasks where kind = 'derive'`)
      )).map(({ status }) => status);
    const look = async (passed: number) => {
      clock.pass(passed);
      await follower.queueLagging();
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
