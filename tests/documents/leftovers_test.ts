/** Garbage that another process has left in a data directory. */

import { strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { periodicJobs } from "../../src/server/background_work.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("periodicJobs() finds versions that a process that is gone has left in a data directory", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const { documents, engine, appContext: { store } } = services;
  const retired = async () =>
    (await store.read((db) => db.all(sql`select 1 from retired_versions`))).length;
  try {
    await documents.runGcRound();
    // As another process does it: this one isn't notified.
    await store.write("maintenance", (tx) =>
      tx.run(sql`insert into retired_versions
        (version, project, indexed, deleted, title, tags) values (99, 1, 0, 1, '', '[]')`));
    await documents.runGcRound();
    strictEqual(await retired(), 1);
    const log = jsonLog({ now: () => 0 }, "off", () => {});
    const jobs = periodicJobs(services, log, engine.membership !== null);
    await jobs.find(({ failureMessage }) => failureMessage === "looking for leftovers failed")
      ?.run();
    await documents.runGcRound();
    strictEqual(await retired(), 0);
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});
