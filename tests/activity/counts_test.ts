/** Activity: searches are counted in memory, and none are lost if the disk fails. */

import { deepStrictEqual, rejects } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { closeServices, openServices } from "../../src/server/services.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("ActivityService.flush() keeps searches that it could not write and writes them next time", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const { activity, appContext: { store } } = services;
  const { number } = await store.write(
    "maintenance",
    (tx) => services.projects.create(tx, "default"),
  );
  const counted = async () => {
    const hours = await store.read((db) => activity.hoursSince(db, number, 0));
    return hours.map(({ kind, count }) => [kind, count]);
  };
  const other = new DatabaseSync(databasePath(directory), BUSY_TIMEOUT);
  try {
    activity.recordSearch(number);
    other.exec("begin immediate");
    const refused = rejects(activity.flush(), { code: "STORAGE_UNAVAILABLE" });
    activity.recordSearch(number);
    await refused;
    other.exec("rollback");
    deepStrictEqual(await counted(), [["searches", 2]]);
    await activity.flush();
    deepStrictEqual(await counted(), [["searches", 2]]);
  } finally {
    other.close();
    await closeServices(services);
    await rm(directory);
  }
});
