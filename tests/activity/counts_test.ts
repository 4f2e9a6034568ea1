/** Activity: searches are counted in memory, and a disk that refuses them loses none. */

import { deepStrictEqual, rejects } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { closeServices, openServices } from "../../src/server/services.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { PATIENT } from "../patient.ts";
import { makeTempDirSync, rm } from "../temporary.ts";

Deno.test("searches that the disk didn't take are counted with the next ones", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const { activity, foundation: { store } } = services;
  const { number } = await store.write((tx) => services.projects.create(tx, "default"));
  const counted = async () => {
    const hours = await store.read((db) => activity.since(db, number, 0));
    return hours.map(({ kind, count }) => [kind, count]);
  };
  const other = new DatabaseSync(databasePath(directory), PATIENT);
  try {
    activity.noteSearch(number);
    other.exec("begin immediate");
    const refused = rejects(activity.flush(), { code: "STORAGE_UNAVAILABLE" });
    activity.noteSearch(number);
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
