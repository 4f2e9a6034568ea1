/**
 * `deno run --allow-all tests/upgrade/make_fixtures.ts`: keeps a data directory of this program's
 * schema for the tests of its successors. Run it before a migration is added. Schemas that are kept
 * already stay as they are; those that are missing are made by taking away what came after them,
 * which is the same, since migrations so far only add.
 */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { withServer } from "../harness.ts";
import { makeTempDirSync, rm } from "../temporary.ts";
import { extracted } from "../uploads/files.ts";
import { fixturePath, pack } from "./fixture.ts";
import { furnish, schemaOf } from "./furnish.ts";

/** Kinds of tasks, and which schema was the first to have them. */
const KINDS = { document_extract: 6, derive: 5, rebuild: 5 } as const;

const scratch = makeTempDirSync();
const whole = join(scratch, "whole");
await withServer(async (server) => {
  await furnish(server, (file) => extracted(server, file));
  await server.stop();
  await copyDataDirectory(server.directory, whole);
  await server.start();
});
for (let schema = 1; schema <= SCHEMA_VERSION; schema++) {
  if (existsSync(fixturePath(schema))) continue;
  const directory = join(scratch, String(schema));
  await copyDataDirectory(whole, directory);
  takeBack(directory, schema);
  pack(directory, schema);
}
await rm(scratch);

/** Makes a directory of the newest schema one of an older. */
function takeBack(directory: string, schema: number): void {
  const db = new DatabaseSync(join(directory, "commonplace.db"));
  db.exec("pragma foreign_keys = off");
  const kept = new Set(schemaOf(schema).map(({ name }) => name));
  const objects = db.prepare("select type, name from sqlite_schema where sql is not null")
    .all() as {
      type: string;
      name: string;
    }[];
  const later = objects.filter(({ name, type }) => !kept.has(name) && type !== "index");
  for (const type of ["trigger", "table"]) {
    for (const { name } of later.filter((each) => each.type === type)) {
      db.exec(`drop ${type} if exists "${name}"`);
    }
  }
  for (const [kind, first] of Object.entries(KINDS)) {
    if (first > schema) db.exec(`delete from tasks where kind = '${kind}'`);
  }
  if (schema < 2) db.exec("delete from journal where kind = 'document'");
  if (schema < 6) {
    db.exec("delete from blob_names");
    rmSync(join(directory, "blobs"), { recursive: true });
  }
  db.exec(`pragma user_version = ${schema}`);
  db.exec("vacuum");
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
}
