/** Runs a test on both storage engines. */

import { PgStore } from "../../src/store/postgres/store.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import "../../testing/note_statements.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";

/** One server for all tests of a file. */
let server: PostgresServer | undefined;

/** Returns the file's PostgreSQL server. Starts it if it isn't running. */
export async function postgres(): Promise<PostgresServer> {
  return server ??= await startPostgres();
}

Deno.test.afterAll(async () => await server?.close());

async function withSqlite(work: (store: Store) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  try {
    await work(store);
  } finally {
    await store.close();
    await rm(directory);
  }
}

/** Runs work with a PostgreSQL store in a new schema. */
export async function withPostgres(work: (store: PgStore) => Promise<void>): Promise<void> {
  const store = await PgStore.open((await postgres()).newSchema());
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** Registers a test that states a rule for all stores. */
export function testStores(name: string, work: (store: Store) => Promise<void>): void {
  Deno.test(`${name}, on SQLite`, () => withSqlite(work));
  testWith(["initdb", "setpriv"], `${name}, on PostgreSQL`, () => withPostgres(work));
}
