/**
 * Runs forward-only schema migrations in one transaction, under a lock. They have the same numbers
 * as SQLite's, and the version is in `meta`.
 */

// @ts-types="@types/pg"
import pg from "pg";
import baseline from "../../../migrations/postgres/0016_baseline.sql" with { type: "text" };
import { IncompatibleStoreError } from "../incompatible.ts";
import type { PgConnection } from "./connection.ts";
import { LOCK } from "./locks.ts";

/** A migration, and the schema version that it creates. */
interface Migration {
  readonly version: number;
  readonly text: string;
}

/** Migrations in order. The first one creates the whole schema. */
const MIGRATIONS: readonly Migration[] = [
  { version: 16, text: baseline },
];

/** Schema version written by this program. */
export const PG_SCHEMA_VERSION = MIGRATIONS.at(-1)!.version;

/**
 * Migrates the schema to this program's version. Creates it if it doesn't exist.
 *
 * @throws IncompatibleStoreError if the schema is newer than the program
 */
export async function migrate(connection: PgConnection, schema: string): Promise<void> {
  if (await schemaVersion(connection) === PG_SCHEMA_VERSION) return;
  await connection.exec("begin");
  try {
    // Processes that start at the same time migrate one after the other.
    await connection.exec("set local lock_timeout to 0");
    await connection.exec(
      `select pg_advisory_xact_lock(hashtext(${pg.escapeLiteral(schema)}), ${LOCK.migrations})`,
    );
    await connection.exec(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
    const current = await schemaVersion(connection);
    if (current > PG_SCHEMA_VERSION) {
      throw new IncompatibleStoreError(
        `The database has schema ${current}, but this version of Commonplace supports up to ` +
          `${PG_SCHEMA_VERSION}; install a newer version`,
      );
    }
    for (const { version, text } of MIGRATIONS) {
      if (version > current) await connection.exec(text);
    }
    await connection.exec(
      `insert into meta (name, value) values ('schema_version', '${PG_SCHEMA_VERSION}')
        on conflict (name) do update set value = excluded.value`,
    );
    await connection.exec("commit");
  } catch (error) {
    await connection.exec("rollback").catch(() => connection.destroy());
    throw error;
  }
}

/** Returns the version of the schema in use, or 0 for a new one. */
export async function schemaVersion(connection: PgConnection): Promise<number> {
  const [found] = (await connection.exec("select to_regclass('meta') is not null as found")).rows;
  if ((found as unknown as { found: number }).found === 0) return 0;
  const { rows } = await connection.exec(
    "select value from meta where name = 'schema_version'",
  );
  const [row] = rows as unknown as { value: string }[];
  return Number(row?.value ?? 0);
}
