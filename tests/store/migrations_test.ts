/** Checks that migrations are applied once, never reverted, and rejected if the schema is newer. */

import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ApiError } from "../../src/kernel/errors.ts";
import { IMPACTS_VERSION } from "../../src/search/lexical/impacts.ts";
import { TERMS_VERSION } from "../../src/search/query/terms.ts";
import { dataDirectoryElection } from "../../src/server/leader_election.ts";
import { IncompatibleStoreError } from "../../src/store/incompatible.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import {
  migrate,
  requireSqliteVersion,
  SCHEMA_VERSION,
  schemaVersion,
} from "../../src/store/sqlite/migrations.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import sql from "sql-template-tag";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function withConnection(work: (connection: Connection, path: string) => void) {
  const directory = makeTempDirSync();
  const path = join(directory, "test.db");
  const connection = new Connection(path);
  try {
    work(connection, path);
  } finally {
    connection.close();
    await rm(directory);
  }
}

Deno.test("migrate() creates the current schema the first time, and changes nothing the second time", async () => {
  await withConnection((connection, path) => {
    strictEqual(schemaVersion(connection), 0);
    migrate(connection, path);
    strictEqual(schemaVersion(connection), SCHEMA_VERSION);
    const schema = () =>
      JSON.stringify(connection.all(sql`select sql from sqlite_schema order by name`));
    const before = schema();
    migrate(connection, path);
    strictEqual(schema(), before);
  });
});

Deno.test("migrate() throws for a newer schema and leaves it unchanged", async () => {
  await withConnection((connection, path) => {
    migrate(connection, path);
    connection.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`);
    throws(() => migrate(connection, path), IncompatibleStoreError);
    strictEqual(schemaVersion(connection), SCHEMA_VERSION + 1);
  });
});

Deno.test("migrate() updates a database of the first version when the program starts, after a backup", async () => {
  const directory = makeTempDirSync();
  const path = databasePath(directory);
  const old = new Connection(path);
  const first = join(import.meta.dirname!, "../../migrations/sqlite/0001_foundation.sql");
  old.exec(readFileSync(first, "utf8"));
  old.exec("insert into meta (name, value) values ('kept', 'yes');");
  old.exec("pragma user_version = 1");
  old.close();
  // Left behind by a start that was killed during its backup.
  writeFileSync(`${path}.schema-1.bak.partial`, "the beginning of a copy");
  writeFileSync(`${path}.schema-1.bak-wal`, "the beginning of another");
  const ended = await run(["projects", "list", "--data", directory]);
  strictEqual(ended.code, 0, ended.stderr);
  const versionOf = (file: string) => {
    const connection = new Connection(file);
    const kept = connection.first<{ value: string }>(
      sql`select value from meta where name = 'kept'`,
    );
    strictEqual(kept?.value, "yes");
    const version = schemaVersion(connection);
    connection.close();
    return version;
  };
  strictEqual(versionOf(path), SCHEMA_VERSION);
  const copies = readdirSync(directory).filter((name) => name.includes(".bak"));
  deepStrictEqual(copies, [basename(`${path}.schema-1.bak`)]);
  strictEqual(versionOf(`${path}.schema-1.bak`), 1);
  await rm(directory);
});

Deno.test("A process of an older version neither writes nor leads once a newer one has migrated the schema", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const newer = new Connection(databasePath(directory));
  const note = (name: string) =>
    store.write("maintenance", (tx) => tx.run(sql`insert into meta values (${name}, 'x')`));
  const election = dataDirectoryElection(directory, store);
  await note("before");
  const lead = (await election.tryLead())!;
  strictEqual(await lead.shouldYield(), false);

  newer.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`);
  await rejects(note("after"), (error) => {
    return error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE" &&
      /restart with that version/.test(error.message);
  });
  strictEqual(await lead.shouldYield(), true);
  lead.release();
  strictEqual(await election.tryLead(), null);
  const noted = sql`select name from meta where name in ('before', 'after')`;
  deepStrictEqual(newer.all(noted), [{ name: "before" }]);
  // It doesn't keep the lock either.
  newer.exec("insert into meta values ('newer', 'x')");
  newer.close();
  await store.close();
  await rm(directory);
});

/**
 * Versions of the text indexes (terms and impacts), by the schema that they came with. A new one gets
 * a line of its own, with the number of a new migration.
 */
const INDEX_VERSIONS: Readonly<Record<number, string>> = { 17: "3.1" };

Deno.test("A change of the text indexes comes with a migration, so that older processes stop writing", () => {
  const [schema, version] = Object.entries(INDEX_VERSIONS).at(-1)!;
  strictEqual(`${TERMS_VERSION}.${IMPACTS_VERSION}`, version);
  ok(Number(schema) <= SCHEMA_VERSION);
});

Deno.test("requireSqliteVersion() throws for versions before 3.51.3", () => {
  for (const version of ["3.51.2", "3.50.9", "3.8.0", "2.99.99"]) {
    throws(() => requireSqliteVersion(version), IncompatibleStoreError);
  }
  for (const version of ["3.51.3", "3.51.10", "3.52.0", "4.0.0"]) requireSqliteVersion(version);
});

Deno.test("SqliteStore creates its directory for the owner only, and every table is strict", async () => {
  const parent = makeTempDirSync();
  const directory = join(parent, "data");
  const store = new SqliteStore(directory);
  strictEqual(Deno.statSync(directory).mode! & 0o777, 0o700);
  const tables = await store.read((db) =>
    db.all<{ name: string; strict: number; type: string }>(
      sql`select name, strict, type from pragma_table_list where schema = 'main'`,
    )
  );
  const loose = tables.filter(({ name, strict, type }) =>
    type === "table" && strict === 0 && !name.startsWith("sqlite_")
  );
  strictEqual(loose.map(({ name }) => name).join(), "");
  await store.close();
  ok(readdirSync(directory).includes("commonplace.db"));
  match(databasePath(directory), /commonplace\.db$/);
  await rm(parent);
});
