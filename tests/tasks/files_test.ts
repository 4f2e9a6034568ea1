/** Tests that the files of an operation are only deleted if no one can ask for them. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import { z } from "zod";
import { ulidIds } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { systemTimers } from "../../src/kernel/timers.ts";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import { linkBlob } from "../../src/store/blobs/references.ts";
import type { PgStore } from "../../src/store/postgres/store.ts";
import type { Tx } from "../../src/store/store.ts";
import { enqueueTask } from "../../src/tasks/enqueue.ts";
import { operationFileJobs } from "../../src/tasks/files.ts";
import { maintenanceHandler, queueMaintenance } from "../../src/tasks/maintenance.ts";
import { TaskQueue } from "../../src/tasks/queue.ts";
import { findTask } from "../../src/tasks/repository.ts";
import { TaskRunner } from "../../src/tasks/runner.ts";
import type { TaskStatus } from "../../src/tasks/states.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { withPostgres } from "../store/engines.ts";

const NOW = Date.UTC(2026, 0, 1);
const clock = { now: () => NOW };
const ids = ulidIds(clock, Math.random);

/** A queue in which someone retries each task that is about to be cancelled. */
class ContestedQueue extends TaskQueue {
  readonly #store: PgStore;
  #isRetried = false;

  constructor(store: PgStore) {
    super({ store, clock, random: Math.random, bootId: "a" });
    this.#store = store;
  }

  override async cancel(tx: Tx, project: number, id: string, from?: TaskStatus): Promise<boolean> {
    if (!this.#isRetried) {
      this.#isRetried = true;
      await this.#store.write(project, (other) => this.redrive(other, project, id));
    }
    return await super.cancel(tx, project, id, from);
  }
}

testWith(
  ["initdb", "setpriv"],
  "Maintenance keeps the file of a failed import that is retried at the same time",
  () =>
    withPostgres(async (store) => {
      const directory = makeTempDirSync();
      const blobs = new FolderBlobs(join(directory, "blobs"), Math.random);
      const blob = await blobs.put([new Uint8Array([1])]);
      const ended = `2025-11-01T00:00:00.000Z`;
      strictEqual(Date.parse(ended) < NOW - LIMITS.failedImportDays * 86_400_000, true);
      const id = await store.write("projects", async (tx) => {
        const project = await tx.first<{ number: number }>(sql`insert into projects
          (id, name, created_at) values ('p', 'p', '') returning number`);
        strictEqual(project!.number, 1);
        const id = await enqueueTask(tx, { clock, ids }, 1, {
          type: { kind: "import_file", payload: z.object({}) },
          payload: {},
        });
        await linkBlob(tx, 1, id, blob);
        await tx.run(sql`update tasks set status = 'dead', created_at = ${ended},
          completed_at = ${ended} where id = ${id}`);
        await queueMaintenance(tx, { clock, ids });
        return id;
      });
      blob.release();
      const queue = new ContestedQueue(store);
      const done = Promise.withResolvers<void>();
      queue.register({
        ...maintenanceHandler(operationFileJobs({ store, clock, blobs, queue })),
        onStatusChange: (_, __, status) =>
          Promise.resolve(status === "success" ? done.resolve() : undefined),
      });
      const log = jsonLog(clock, "off", () => {});
      const runner = new TaskRunner({ queue, store, clock, timers: systemTimers, log });
      await runner.start();
      await done.promise;
      await runner.stop();
      const task = await store.read((db) => findTask(db, 1, id));
      strictEqual(task!.status, "pending");
      deepStrictEqual(await blobs.read(blob.name), new Uint8Array([1]));
      const linked = await store.queryOne<{ n: number }>(
        sql`select count(*) as n from blob_names where owner = ${id}`,
      );
      strictEqual(linked!.n, 1);
      await rm(directory);
    }),
);
