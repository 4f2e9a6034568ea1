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
import { Connection, type ConnectionOptions } from "../src/store/sqlite/connection.ts";
import { asReader, databasePath } from "../src/store/sqlite/store.ts";
import type { Reader } from "../src/store/store.ts";
import { BUSY_TIMEOUT } from "./busy_timeout.ts";
import { dropSchema, randomSchema } from "./postgres.ts";
import { claimSchema, releaseSchema } from "./ready_schemas.ts";

const engine = Deno.env.get("COMMONPLACE_TEST_ENGINE");

/** Whether each request goes to another one of several servers on one PostgreSQL database. */
export const isClusterTested = engine === "cluster";

/** Whether the servers keep their records in PostgreSQL. */
export const isPostgresTested = engine === "postgres" || isClusterTested;

/** The server of `deno task test:postgres`. */
const TEST_URL = Deno.env.get("COMMONPLACE_TEST_DATABASE_URL");

/** The databases of data directories. */
const databases = new Map<string, PgAddress>();
/** Databases with something that a schema doesn't have. */
const altered = new Set<PgAddress>();

/** Sets the database of a data directory, for a test that names one. */
export function useTestDatabase(directory: string, address: PgAddress): void {
  databases.set(directory, address);
}

/** Returns the database of a data directory, or undefined for SQLite. */
export function testDatabase(directory: string): PgAddress | undefined {
  const known = databases.get(directory);
  if (known !== undefined || !isPostgresTested) return known;
  if (TEST_URL === undefined) {
    throw new Error('Run "deno task test:postgres", which starts a server');
  }
  const address = { url: TEST_URL, schema: randomSchema() };
  databases.set(directory, address);
  return address;
}

/** Returns the URL of a data directory's database, as for COMMONPLACE_DATABASE_URL. */
export function testDatabaseUrl(directory: string): string | undefined {
  const address = testDatabase(directory);
  return address && `${address.url}?schema=${address.schema}`;
}

/** Returns the variables that a process needs to find a data directory's records. */
export function databaseEnvironment(directory: string): Record<string, string> {
  const url = testDatabaseUrl(directory);
  return url === undefined ? {} : { COMMONPLACE_DATABASE_URL: url };
}

/** Prepares a data directory's database for its first server. */
export async function claimTestDatabase(directory: string): Promise<void> {
  const address = testDatabase(directory);
  if (address !== undefined && address.url === TEST_URL) await claimSchema(address);
}

/** Removes a data directory's database, once its server has been stopped. */
export async function removeTestDatabase(directory: string): Promise<void> {
  const address = databases.get(directory);
  databases.delete(directory);
  if (address === undefined) return;
  if (address.url !== TEST_URL || altered.delete(address)) await dropSchema(address);
  else await releaseSchema(address);
}

/** Runs a statement on a data directory's records. Returns the rows, if it's a query. */
export async function queryRecords<Row>(directory: string, query: Sql): Promise<Row[]> {
  const address = testDatabase(directory);
  if (address === undefined) {
    const connection = openSqlite(directory);
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

/** Opens a data directory's database, which may belong to a running server. */
function openSqlite(directory: string, options: ConnectionOptions = {}): Connection {
  const connection = new Connection(databasePath(directory), options);
  connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT.timeout}`);
  return connection;
}

/** Runs reads of a data directory's records. Each sees what was committed before it. */
export async function readRecords<T>(
  directory: string,
  work: (db: Reader) => Promise<T>,
): Promise<T> {
  const address = testDatabase(directory);
  if (address === undefined) {
    const connection = openSqlite(directory, { readOnly: true });
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

/** A statement for {@linkcode addTrigger} that fails. */
export const FAILURE = "insert into meta (name, value) select 'a', '' union all select 'a', ''";

/**
 * Executes a statement with each change of a data directory's records that an event names.
 *
 * @param event e.g. `before insert on tasks for each row`
 * @returns a function that removes the trigger
 */
export async function addTrigger(
  directory: string,
  event: string,
  statement: string,
): Promise<() => Promise<void>> {
  const address = testDatabase(directory);
  if (address === undefined) {
    const execute = (text: string) => queryRecords(directory, sql`${raw(text)}`);
    await execute(`create trigger obstacle ${event} begin ${statement}; end`);
    return async () => void await execute("drop trigger obstacle");
  }
  const execute = async (text: string) => {
    const connection = await PgConnection.open(address);
    await connection.exec(text).finally(() => connection.close());
  };
  altered.add(address);
  await execute(`create function obstacle() returns trigger language plpgsql as
    $$ begin ${statement}; return new; end $$`);
  await execute(`create trigger obstacle ${event} execute function obstacle()`);
  return () => execute("drop function obstacle cascade");
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
