/** Tests that records with extreme values in every field equal the original after a restore. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { withServer } from "../../testing/harness.ts";
import { runCommonplace } from "../../testing/process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { recordsOf } from "../imports/imports.ts";
import { addExtremes } from "../snapshots/extremes.ts";
import { exportSnapshot } from "../snapshots/snapshots.ts";

Deno.test("restore brings back records with extreme values from a backup", async () => {
  const folder = makeTempDirSync();
  try {
    await withServer(async (server) => {
      const { call, directory } = server;
      await addExtremes(server);
      const records = await recordsOf(call);
      const { snapshot } = await exportSnapshot(call);
      const copy = join(folder, "copy");
      const backup = await runCommonplace("backup", copy, "--data", directory);
      deepStrictEqual([backup.code, backup.stderr], [0, ""]);
      await server.stop();
      for (const name of readdirSync(directory)) await rm(join(directory, name));
      const restored = await runCommonplace("restore", copy, "--data", directory);
      deepStrictEqual([restored.code, restored.stderr], [0, ""]);
      deepStrictEqual(runDoctor(directory).filter((check) => !check.ok), []);
      await server.start();
      deepStrictEqual(await recordsOf(call), records);
      strictEqual((await exportSnapshot(call)).snapshot.checksum, snapshot.checksum);
    });
  } finally {
    await rm(folder);
  }
});
