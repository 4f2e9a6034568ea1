/**
 * The storage engine of the servers that tests start: COMMONPLACE_TEST_ENGINE, sqlite by default.
 * `cluster` is `postgres` with several servers behind a balancer.
 * On PostgreSQL, each data directory gets a schema of its own in one database, which
 * `deno task test:postgres` starts.
 */

import { join } from "node:path";
import sql, { raw, type Sql } from "sql-template-tag";
import { COPY_FOLDER } from "../src/copies/copies.ts";
import { type PgAddress, PgConnection } from "../src/store/postgres/connection.ts";
import { asReader as asPostgresReader } from "../src/store/postgres/store.ts";
import { Connection } from "../src/store/sqlite/connection.ts";
import { asReader, databasePath } from "../src/store/sqlite/store.ts";
import type { Reader } from "../src/store/store.ts";
import { dropSchema, randomSchema } from "./postgres.ts";

const engine = Deno.env.get("COMMONPLACE_TEST_ENGINE");

/** Whether each request goes to another one of several servers on one PostgreSQL database. */
export const isClusterTested = engine === "cluster";

/** Whether the servers keep their records in PostgreSQL. */
export const isPostgresTested = engine === "postgres" || isClusterTested;

/** The databases of data directories. */
const databases = new Map<string, PgAddress>();

/** Sets the database of a data directory, for a test that names one. */
export function useTestDatabase(directory: string, address: PgAddress): void {
  databases.set(directory, address);
}

/** Returns the database of a data directory, or undefined for SQLite. */
export function testDatabase(directory: string): PgAddress | undefined {
  const known = databases.get(directory);
  if (known !== undefined || !isPostgresTested) return known;
  const url = Deno.env.get("COMMONPLACE_TEST_DATABASE_URL");
  if (url === undefined) throw new Error('Run "deno task test:postgres", which starts a server');
  const address = { url, schema: randomSchema() };
  databases.set(directory, address);
  return address;
}

/** Returns the URL of a data directory's database, as for COMMONPLACE_DATABASE_URL. */
export function testDatabaseUrl(directory: string): string | undefined {
  const address = testDatabase(directory);
  return address && `${address.url}?schema=${address.schema}`;
}

/** Removes a data directory's database, once its server has been stopped. */
export async function removeTestDatabase(directory: string): Promise<void> {
  const address = databases.get(directory);
  databases.delete(directory);
  if (address !== undefined) await dropSchema(address);
}

/** Runs a statement on a data directory's records. Returns the rows, if it's a query. */
export async function queryRecords<Row>(directory: string, query: Sql): Promise<Row[]> {
  const address = testDatabase(directory);
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

/** Runs reads of a data directory's records. Each sees what was committed before it. */
export async function readRecords<T>(
  directory: string,
  work: (db: Reader) => Promise<T>,
): Promise<T> {
  const address = testDatabase(directory);
  if (address === undefined) {
    const connection = new Connection(databasePath(directory), { readOnly: true });
    try {
      return await work(asReader(connection));
    } finally {
      connection.close();
    }
  }
  const connection = await PgConnection.open(address);
  try {
    return await work(asPostgresReader(connection));
  } finally {
    await connection.close();
  }
}

/** Returns the tables of a data directory's records that contain a row of a project. */
export async function tablesWith(directory: string, project: number): Promise<string[]> {
  const tables = testDatabase(directory) === undefined
    ? sql`select m.name from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and c.name = 'project'`
    : sql`select table_name as name from information_schema.columns
        where table_schema = current_schema() and column_name = 'project'`;
  const found = [];
  for (const { name } of await queryRecords<{ name: string }>(directory, tables)) {
    const rows = await queryRecords(
      directory,
      sql`select 1 as n from ${raw(name)} where project = ${project} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
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
