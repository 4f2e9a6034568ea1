/** Checks which files a backup consists of. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function inDirectory(work: (directory: string) => Promise<void> | void): Promise<void> {
  const directory = makeTempDirSync();
  try {
    await work(directory);
  } finally {
    await rm(directory);
  }
}

Deno.test("A backup has no write-ahead log, so that reading it needs no permission to write", async () => {
  await inDirectory(async (directory) => {
    const [data, backup] = [join(directory, "data"), join(directory, "backup")];
    const store = new SqliteStore(data);
    await copyDataDirectory(data, backup);
    await store.close();
    const files = ["blobs", "commonplace.db"];
    deepStrictEqual(readdirSync(backup).sort(), files);
    deepStrictEqual(runDoctor(backup).filter(({ ok }) => !ok), []);
    await copyDataDirectory(backup, join(directory, "restored"));
    deepStrictEqual(readdirSync(backup).sort(), files);
    const restored = new SqliteStore(join(directory, "restored"));
    strictEqual(await restored.journalEnd(), 0);
    await restored.close();
  });
});
