/** Tests of programs of several versions on one schema, and of the rules for migrations. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { systemClock } from "../../src/kernel/clock.ts";
import { ApiError } from "../../src/kernel/errors.ts";
import { IncompatibleStoreError } from "../../src/store/incompatible.ts";
import { type PgAddress, PgConnection } from "../../src/store/postgres/connection.ts";
import { PgMembership } from "../../src/store/postgres/membership.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import {
  type Migration,
  PG_MIGRATIONS,
  PG_SCHEMA_VERSION,
} from "../../src/store/postgres/migrations.ts";
import { schemaState } from "../../src/store/postgres/schema_state.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { breakingStatements } from "./breaking_statements.ts";
import { postgres } from "./engines.ts";

const TOOLS = ["initdb", "setpriv"] as const;

const NEXT_SCHEMA_VERSION = PG_SCHEMA_VERSION + 1;

/** A migration that programs of this version can work with. */
const COMPATIBLE: Migration = {
  version: NEXT_SCHEMA_VERSION,
  oldest: PG_SCHEMA_VERSION,
  text: `create table labels (name text collate "C" primary key);
    alter table meta add column label text collate "C";
    alter table projects add column labels bigint not null default 0`,
};

/** One that they can't work with. */
const INCOMPATIBLE: Migration = {
  version: NEXT_SCHEMA_VERSION,
  oldest: NEXT_SCHEMA_VERSION,
  text: "alter table projects drop column derivation",
};

/** Migrates a schema as a program of the next version does when it starts. */
async function upgrade(address: PgAddress, migration: Migration): Promise<void> {
  const connection = await PgConnection.open(address);
  try {
    await migrate(connection, address.schema, [...PG_MIGRATIONS, migration]);
    const { version, oldest } = migration;
    deepStrictEqual(await schemaState(connection), { version, oldest });
  } finally {
    await connection.close();
  }
}

/** Returns a process with a version. */
function processOf(address: PgAddress, boot: string, version: string): PgMembership {
  return new PgMembership(address, { boot, version, startedAt: systemClock().now() });
}

const put = (store: PgStore, name: string) =>
  store.write(
    "maintenance",
    (tx) => tx.run(sql`insert into meta (name, value) values (${name}, '')`),
  );

const has = async (store: PgStore, name: string) =>
  await store.queryOne(sql`select name, value from meta where name = ${name}`) !== undefined;

/** Returns how many migrations wait for a table of a schema. */
async function migrationsWaiting({ schema }: PgAddress): Promise<number> {
  const rows = await (await postgres()).query(`select 1 from pg_locks join pg_class on
      relation = pg_class.oid where mode = 'AccessExclusiveLock' and not granted
      and relnamespace = '${schema}'::regnamespace`);
  return rows.length;
}

/** Checks that nothing could be done because a newer program uses the schema. */
const isTooOld = (error: Error) =>
  error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE" &&
  /^The database was updated, and this version of Commonplace can't use it/.test(error.message);

testWith(
  TOOLS,
  "migrate() adds to the schema while programs of the version before go on and start",
  async () => {
    const address = (await postgres()).newSchema();
    const store = await PgStore.open(address);
    try {
      // Statements are prepared when they are used again.
      for (const name of ["1", "2", "3"]) ok(await put(store, name) && await has(store, name));
      await upgrade(address, COMPATIBLE);
      for (const name of ["4", "5", "6"]) ok(await put(store, name) && await has(store, name));
      const other = await PgStore.open(address);
      ok(await has(other, "6"));
      await put(other, "7");
      await other.close();
      ok(await has(store, "7"));
    } finally {
      await store.close();
    }
  },
);

testWith(
  TOOLS,
  "migrate() refuses what a running program can't work with, names it, and goes ahead once it has ended",
  async () => {
    const address = (await postgres()).newSchema();
    const store = await PgStore.open(address);
    const old = processOf(address, "oldProcess", "0.9.0");
    await put(store, "before");
    await old.join("server");
    const refusal =
      /^The database has schema \d+, and older versions of Commonplace can't use schema \d+; stop those that are running first: 0\.9\.0 \(process oldProce\)$/;
    await rejects(upgrade(address, INCOMPATIBLE), (error: Error) => {
      return error instanceof IncompatibleStoreError && refusal.test(error.message);
    });
    await put(store, "after");
    await old.leave();
    await store.close();
    await upgrade(address, INCOMPATIBLE);
    await rejects(
      PgStore.open(address),
      /^IncompatibleStoreError: The database has schema \d+, but this version .* install a newer version$/,
    );
    await rejects(old.join("server"), isTooOld);
  },
);

testWith(
  TOOLS,
  "a program that lost its connections can't use a schema that was changed in the meantime",
  async () => {
    const server = await postgres();
    const address = server.newSchema();
    const store = await PgStore.open(address);
    try {
      await put(store, "before");
      const connection = await PgConnection.open(address);
      await connection.exec(`select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objid = ${PG_SCHEMA_VERSION} and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())
          and classid::bigint = (hashtext('programs of ' || current_schema())::bigint & 4294967295)`);
      await connection.close();
      await upgrade(address, INCOMPATIBLE);
      await rejects(has(store, "before"), isTooOld);
      await rejects(put(store, "after"), isTooOld);
    } finally {
      await store.close();
    }
  },
);

testWith(
  TOOLS,
  "migrate() doesn't keep requests waiting while a transaction uses a table that it changes",
  async () => {
    const address = (await postgres()).newSchema();
    const store = await PgStore.open(address);
    const snapshot = await store.snapshot();
    try {
      await snapshot.first(sql`select name, value from meta limit 1`);
      const upgraded = upgrade(address, COMPATIBLE);
      for (const name of ["1", "2"]) {
        await waitUntil(() => migrationsWaiting(address), (count) => count > 0);
        // It would wait for the migration, which waits for the snapshot.
        await put(store, name);
      }
      await snapshot.close();
      await upgraded;
    } finally {
      await snapshot.close();
      await store.close();
    }
  },
);

testWith(TOOLS, "tryLead() leaves the lead to the newest version", async () => {
  const address = (await postgres()).newSchema();
  await (await PgStore.open(address)).close();
  const older = processOf(address, "older", "0.9.0");
  const local = processOf(address, "local", "0.10.0");
  const newer = processOf(address, "newer", "0.10.0");
  try {
    await older.join("server");
    const first = await older.tryLead();
    strictEqual(await first!.shouldYield(), false);
    // One that only waits for a task, or serves a single client, leads only if there's no server.
    await local.join("local");
    strictEqual(await first!.shouldYield(), false);
    await newer.join("server");
    strictEqual(await first!.shouldYield(), true);
    first!.release();
    const second = await waitUntil(() => newer.tryLead(), (lead) => lead !== null);
    strictEqual(await second!.shouldYield(), false);
    second!.release();
    strictEqual(await older.tryLead(), null);
    await newer.leave();
    const third = await waitUntil(() => older.tryLead(), (lead) => lead !== null);
    third!.release();
  } finally {
    for (const process of [older, local, newer]) await process.leave();
  }
});

Deno.test("each file in migrations/postgres has a version, and programs that can use the schema", () => {
  const files = readdirSync(join(import.meta.dirname!, "../../migrations/postgres")).sort();
  deepStrictEqual(
    files.map((name) => Number(/^(\d{4})_\w+\.sql$/.exec(name)?.[1])),
    PG_MIGRATIONS.map(({ version }) => version),
  );
  PG_MIGRATIONS.forEach(({ version, oldest }, index) => {
    const before = PG_MIGRATIONS[index - 1];
    strictEqual(version, before === undefined ? 16 : before.version + 1);
    ok(oldest <= version && oldest >= (before?.oldest ?? 16), `${version} has oldest ${oldest}`);
  });
});

Deno.test("a migration that leaves `oldest` as it is only adds tables, columns and indexes", () => {
  for (const [index, { text, oldest }] of PG_MIGRATIONS.entries()) {
    if (oldest === PG_MIGRATIONS[index - 1]?.oldest) deepStrictEqual(breakingStatements(text), []);
  }
  deepStrictEqual(breakingStatements(COMPATIBLE.text), []);
});

Deno.test("breakingStatements() accepts what older programs needn't know", () => {
  const additions = `
    -- Comments; with semicolons.
    create table a (id bigint primary key, project bigint references projects (number) on delete cascade);
    create table b (a bigint references a (id), unique (a));
    create unique index a_by_project on a (project);
    create index memories_by_a on memories (project, id) where id <> ';';
    insert into a (id) values (1), (2);
    alter table a add constraint positive check (id > 0);
    create function f() returns trigger language plpgsql as $$ begin update a set id = 1; return new; end $$;
    create trigger t after delete on a for each row execute function f();
    alter table memories add column x bigint, add column y text collate "C" not null default '',
      add column z smallint not null default 0 check (z in (0, 1));`;
  deepStrictEqual(breakingStatements(additions), []);
});

Deno.test("breakingStatements() reports what can make older programs fail, or lock a table for long", () => {
  for (
    const statement of [
      "drop table memories",
      "drop index memories_by_id",
      "alter table memories drop column terms",
      "alter table memories rename column memory to text",
      "alter table memories alter column memory type varchar",
      "alter table memories add column x bigint not null",
      "alter table memories add column x bigint unique",
      "alter table memories add column x bigint references projects (number)",
      "alter table memories add column x text default gen_random_uuid()",
      "alter table memories add column x bigint generated always as (seq + 1) stored",
      "alter table memories add column x bigint, drop column terms",
      "alter table memories add constraint positive check (seq > 0)",
      "create unique index memories_by_text on memories (project, memory)",
      "create table a (project bigint references projects (number))",
      "create trigger t after insert on memories for each row execute function f()",
      "create or replace function delete_vector_signs() returns trigger as $$ begin end $$",
      "update memories set importance = 1",
      "insert into memories (id) values ('a')",
      "do $$ begin end $$",
    ]
  ) {
    strictEqual(breakingStatements(statement).length, 1, statement);
  }
});
