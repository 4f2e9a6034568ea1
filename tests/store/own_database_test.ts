/** Checks that a database of another program is recognized and never changed. */

import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { IncompatibleStoreError } from "../../src/store/incompatible.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { migrate, SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { isForeign } from "../../src/store/sqlite/own_database.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("SqliteStore, backups and doctor refuse a database of another program and leave it as it is", async (t) => {
  for (const version of [0, 5, SCHEMA_VERSION]) {
    await t.step(`version ${version}`, async () => {
      const directory = makeTempDirSync();
      try {
        const other = new DatabaseSync(databasePath(directory));
        other.exec(`create table notes (text text); pragma user_version = ${version}`);
        other.close();
        const before = readFileSync(databasePath(directory));
        throws(() => new SqliteStore(directory), (error) => {
          match((error as Error).message, /is a database of another program/);
          return error instanceof IncompatibleStoreError;
        });
        await rejects(
          copyDataDirectory(directory, join(directory, "copy")),
          IncompatibleStoreError,
        );
        deepStrictEqual(
          runDoctor(directory).filter(({ ok }) => !ok),
          [{ name: "schema", ok: false, detail: "the database is another program's" }],
        );
        deepStrictEqual(readFileSync(databasePath(directory)), before);
        deepStrictEqual(readdirSync(directory), [databasePath("")]);
      } finally {
        await rm(directory);
      }
    });
  }
});

Deno.test("SqliteStore opens an empty file, which a killed first start leaves behind", async () => {
  const directory = makeTempDirSync();
  try {
    writeFileSync(databasePath(directory), "");
    const store = new SqliteStore(directory);
    strictEqual(await store.journalEnd(), 0);
    await store.close();
  } finally {
    await rm(directory);
  }
});

Deno.test("isForeign() accepts a database whose schema another process is creating", async () => {
  const directory = makeTempDirSync();
  const path = databasePath(directory);
  const [other, reader] = [new Connection(path), new Connection(path, { readOnly: true })];
  const first = reader.first.bind(reader);
  reader.first = (query) => {
    const row = first(query);
    migrate(other, path);
    return row as undefined;
  };
  try {
    strictEqual(isForeign(reader), false);
    strictEqual(isForeign(reader), false);
  } finally {
    reader.close();
    other.close();
    await rm(directory);
  }
});
