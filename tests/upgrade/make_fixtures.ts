/**
 * `deno run --allow-all tests/upgrade/make_fixtures.ts`: stores a data directory with the current
 * schema for testing later versions. Run this before adding a migration, since a fixture has to be
 * made by the program that wrote its schema. Leaves existing fixtures alone.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { extractFile } from "../uploads/files.ts";
import { fixturePath, pack } from "./fixture.ts";
import { populate } from "./populate.ts";

if (!existsSync(fixturePath(SCHEMA_VERSION))) {
  const scratch = makeTempDirSync();
  await withServer(async (server) => {
    await populate(server, (file) => extractFile(server, file));
    await server.stop();
    await copyDataDirectory(server.directory, join(scratch, "data"));
    await server.start();
  });
  pack(join(scratch, "data"), SCHEMA_VERSION);
  await rm(scratch);
}
