/**
 * The version of a schema, and which programs can use it.
 *
 * Each connection of a program holds a shared lock on the schema version that the program was
 * written for. A migration that some programs can't work with takes the locks of their versions for
 * itself, so it only runs while none of them is connected. A connection that is opened later finds
 * that its program is too old.
 */

import type { PgConnection } from "./connection.ts";
import { unavailable } from "./errors.ts";
import { PG_SCHEMA_VERSION } from "./migrations.ts";

/** The state of a schema. Both versions are 0 if it has no tables yet. */
export interface SchemaState {
  readonly version: number;
  /** The oldest version whose programs can use it. */
  readonly oldest: number;
}

/** First key of the locks on schema versions. The second one is the version. */
export const PROGRAMS = "hashtext('programs of ' || current_schema())";

/** Returns the state of the schema in use. */
export async function schemaState(connection: PgConnection): Promise<SchemaState> {
  const { rows } = await connection.exec<{ found: number }>(
    "select to_regclass('meta') is not null as found",
  );
  if (rows[0]!.found === 0) return { version: 0, oldest: 0 };
  return await readState(connection);
}

/**
 * Locks the program's schema version for as long as the connection is open, and closes it if the
 * program is too old for the schema.
 *
 * @throws ApiError STORAGE_UNAVAILABLE if it is
 */
export async function lockSchemaVersion(connection: PgConnection): Promise<void> {
  try {
    const [, { oldest }] = await Promise.all([
      connection.exec(`select pg_advisory_lock_shared(${PROGRAMS}, ${PG_SCHEMA_VERSION})`),
      readState(connection),
    ]);
    if (oldest > PG_SCHEMA_VERSION) {
      throw unavailable("The database was updated, and this version of Commonplace can't use it");
    }
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function readState(connection: PgConnection): Promise<SchemaState> {
  const { rows } = await connection.exec<{ name: string; value: string }>(
    "select name, value from meta where name in ('schema_version', 'oldest_schema')",
  );
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const version = Number(values.get("schema_version") ?? 0);
  return { version, oldest: Number(values.get("oldest_schema") ?? version) };
}
