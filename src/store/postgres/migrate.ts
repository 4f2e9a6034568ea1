/**
 * Runs the migrations that a schema lacks, in one transaction, under a lock. The version is in
 * `meta`, together with the oldest one whose programs can use the schema.
 */

// @ts-types="@types/pg"
import pg from "pg";
import sql, { raw } from "sql-template-tag";
import { delay, systemTimers } from "../../kernel/timers.ts";
import { IncompatibleStoreError } from "../incompatible.ts";
import type { PgConnection } from "./connection.ts";
import { isLockTimeout } from "./errors.ts";
import { LOCK } from "./locks.ts";
import { readMemberName } from "./membership.ts";
import { type Migration, PG_MIGRATIONS } from "./migrations.ts";
import { PROGRAMS, type SchemaState, schemaState } from "./schema_state.ts";

/**
 * How long a migration waits for the lock of a table, in milliseconds. All requests for the table
 * wait behind it, and PostgreSQL looks for deadlocks after a second.
 */
const TABLE_LOCK_TIMEOUT_MS = 500;

/** How long to try again if tables are locked, in milliseconds, and how often. */
const MAX_TABLE_LOCK_WAIT_MS = 60_000;
const TABLE_LOCK_RETRY_MS = 1_000;

/** How long to wait for older programs that are ending, in milliseconds, and how often to look. */
const MAX_PROGRAM_WAIT_MS = 2_000;
const PROGRAM_POLL_MS = 100;

/**
 * Migrates the schema to this program's version, unless it's newer. Creates it if it doesn't exist.
 *
 * @param migrations defaults to those of this program
 * @throws IncompatibleStoreError if this program can't use the schema, or another one that is
 *   running couldn't use it any more, or if tables are locked for a minute
 */
export async function migrate(
  connection: PgConnection,
  schema: string,
  migrations: readonly Migration[] = PG_MIGRATIONS,
): Promise<void> {
  const deadline = performance.now() + MAX_TABLE_LOCK_WAIT_MS;
  while (!isCurrent(await schemaState(connection), migrations)) {
    try {
      return await migrateOnce(connection, schema, migrations);
    } catch (error) {
      await connection.exec("rollback").catch(() => connection.destroy());
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > deadline) {
        throw new IncompatibleStoreError(
          "The database can't be updated while other transactions use its tables, such as a " +
            "backup; start again when they have ended",
          { cause: error },
        );
      }
      // Without a lock, so that everyone else can go on.
      await delay(systemTimers, TABLE_LOCK_RETRY_MS);
    }
  }
}

/**
 * Checks whether a schema has all migrations.
 *
 * @throws IncompatibleStoreError if it has others that the program can't work with
 */
function isCurrent({ version, oldest }: SchemaState, migrations: readonly Migration[]): boolean {
  const program = migrations.at(-1)!.version;
  if (oldest > program) {
    throw new IncompatibleStoreError(
      `The database has schema ${version}, but this version of Commonplace supports up to ` +
        `${program}; install a newer version`,
    );
  }
  return version >= program;
}

async function migrateOnce(
  connection: PgConnection,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const { version, oldest } = migrations.at(-1)!;
  await connection.exec("begin");
  // Processes that start at the same time migrate one after the other.
  await connection.exec("set local lock_timeout to 0");
  await connection.exec(
    `select pg_advisory_xact_lock(hashtext(${pg.escapeLiteral(schema)}), ${LOCK.migrations})`,
  );
  await connection.exec(`set local lock_timeout to ${TABLE_LOCK_TIMEOUT_MS}`);
  await createSchema(connection, pg.escapeIdentifier(schema));
  const current = await schemaState(connection);
  if (!isCurrent(current, migrations)) {
    if (current.version > 0) await lockOutPrograms(connection, current, { version, oldest });
    for (const migration of migrations) {
      if (migration.version > current.version) await connection.exec(migration.text);
    }
    await connection.exec(
      `insert into meta (name, value) values ('schema_version', '${version}'),
          ('oldest_schema', '${oldest}')
        on conflict (name) do update set value = excluded.value`,
    );
  }
  await connection.exec("commit");
}

/** Creates a schema. A role needs no permission to do this if it exists. */
async function createSchema(connection: PgConnection, name: string): Promise<void> {
  const { rows } = await connection.query<{ exists: number }>(
    sql`select to_regnamespace(${name}) is not null as exists`,
  );
  if (rows[0]!.exists === 0) await connection.exec(`create schema ${name}`);
}

/**
 * Keeps programs that can't use the new schema from starting until the transaction ends.
 *
 * @throws IncompatibleStoreError if one of them is running
 */
async function lockOutPrograms(
  connection: PgConnection,
  current: SchemaState,
  next: SchemaState,
): Promise<void> {
  const deadline = performance.now() + MAX_PROGRAM_WAIT_MS;
  for (let version = current.oldest; version < next.oldest; version++) {
    // A request for the lock that waits would keep programs that are running from connecting.
    while (!await tryLock(connection, version)) {
      if (performance.now() > deadline) {
        throw new IncompatibleStoreError(
          `The database has schema ${current.version}, and older versions of Commonplace can't ` +
            `use schema ${next.version}; stop those that are running first: ` +
            await describePrograms(connection, version),
        );
      }
      await delay(systemTimers, PROGRAM_POLL_MS);
    }
  }
}

async function tryLock(connection: PgConnection, version: number): Promise<boolean> {
  const { rows } = await connection.exec<{ locked: number }>(
    `select pg_try_advisory_xact_lock(${PROGRAMS}, ${version}) as locked`,
  );
  return rows[0]!.locked === 1;
}

/** Describes the processes that have locked a schema version. Commands have no names. */
async function describePrograms(connection: PgConnection, version: number): Promise<string> {
  const { rows } = await connection.query<{ name: string }>(sql`
    select distinct application_name as name from pg_stat_activity join pg_locks using (pid)
    where locktype = 'advisory' and objsubid = 2 and granted and objid::bigint = ${version}
      and classid::bigint = (${raw(PROGRAMS)}::bigint & 4294967295)
      and pg_stat_activity.datname = current_database()
    order by name`);
  const members = rows.flatMap(({ name }) => readMemberName(name) ?? []);
  return members.map(({ version, id }) => `${version} (process ${id})`).join(", ") ||
    "a command, or a process that is starting";
}
