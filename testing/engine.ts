/**
 * The storage engine of the servers that tests start: COMMONPLACE_TEST_ENGINE, sqlite by default.
 * On PostgreSQL, each server gets a schema of its own. They are all in the database at
 * COMMONPLACE_TEST_DATABASE_URL, which `deno task test:postgres` sets. Without it, a test file
 * starts a PostgreSQL server for itself.
 */

import { join } from "node:path";
import type { Sql } from "sql-template-tag";
import { COPY_FOLDER } from "../src/copies/copies.ts";
import { type PgAddress, PgConnection } from "../src/store/postgres/connection.ts";
import { Connection } from "../src/store/sqlite/connection.ts";
import { databasePath } from "../src/store/sqlite/store.ts";
import { dropSchema, type PostgresServer, randomSchema, startPostgres } from "./postgres.ts";

/** Whether the servers keep their records in PostgreSQL. */
export const isPostgresTested = Deno.env.get("COMMONPLACE_TEST_ENGINE") === "postgres";

/** Started by the first test of a file that needs it. */
let server: Promise<PostgresServer> | undefined;

/** The databases of data directories. */
const databases = new Map<string, PgAddress>();

if (isPostgresTested) Deno.test.afterAll(async () => await (await server)?.close());

/** Sets the database of a data directory, for a test that names one. */
export function useTestDatabase(directory: string, address: PgAddress): void {
  databases.set(directory, address);
}

/** Returns the database of a data directory, or undefined for SQLite. */
export async function testDatabase(directory: string): Promise<PgAddress | undefined> {
  const known = databases.get(directory);
  if (known !== undefined || !isPostgresTested) return known;
  const url = Deno.env.get("COMMONPLACE_TEST_DATABASE_URL");
  const address = url === undefined
    ? (await (server ??= startPostgres())).newSchema()
    : { url, schema: randomSchema() };
  databases.set(directory, address);
  return address;
}

/** Returns the URL of a data directory's database, as for COMMONPLACE_DATABASE_URL. */
export async function testDatabaseUrl(directory: string): Promise<string | undefined> {
  const address = await testDatabase(directory);
  return address && `${address.url}?schema=${address.schema}`;
}

/** Removes a data directory's database, once its server has been stopped. */
export async function removeTestDatabase(directory: string): Promise<void> {
  const address = databases.get(directory);
  databases.delete(directory);
  // A server that this file has started ends with all its schemas.
  if (address !== undefined && server === undefined) await dropSchema(address);
}

/** Runs a statement on a data directory's records. Returns the rows, if it's a query. */
export async function queryRecords<Row>(directory: string, query: Sql): Promise<Row[]> {
  const address = await testDatabase(directory);
  if (address === undefined) {
    const connection = new Connection(databasePath(directory));
    try {
      return connection.all<Row>(query);
    } finally {
      connection.close();
    }
  }
  const connection = await PgConnection.open(address);
  try {
    return (await connection.query<Row>(query)).rows;
  } finally {
    await connection.close();
  }
}

/** Returns the path of the SQLite database that searches of a data directory read. */
export function searchDatabase(directory: string): string {
  return databasePath(databases.has(directory) ? join(directory, COPY_FOLDER) : directory);
}

/**
 * Registers a test of what only exists on SQLite: the files of the data directory, its text index,
 * and commands that work on these.
 */
export function testSqlite(name: string, work: () => Promise<void> | void): void {
  if (!isPostgresTested) Deno.test(name, work);
}
