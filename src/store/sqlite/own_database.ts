/** Recognizes databases of other programs, which must not be changed. */

import { statSync } from "node:fs";
import sql from "sql-template-tag";
import { IncompatibleStoreError } from "../incompatible.ts";
import { Connection } from "./connection.ts";
import { SCHEMA_VERSION, schemaVersion } from "./migrations.ts";

/** Tables that every schema version has. */
const COMMON_TABLES = ["meta", "projects", "memories"] as const;

/**
 * Checks whether another program created a database. An empty one has no owner yet, and a newer
 * schema can have any tables.
 */
export function isForeign(connection: Connection): boolean {
  // In one transaction, since another process may be creating the schema.
  connection.exec("begin");
  try {
    const version = schemaVersion(connection);
    if (version > SCHEMA_VERSION) return false;
    const tables = connection.all<{ name: string }>(
      sql`select name from sqlite_schema where type = 'table'`,
    ).map(({ name }) => name);
    if (version === 0) return tables.length > 0;
    return COMMON_TABLES.some((name) => !tables.includes(name));
  } finally {
    connection.exec("commit");
  }
}

/**
 * Checks that another program didn't create the database in a file, without changing the file. A
 * missing file is fine.
 *
 * @throws IncompatibleStoreError if another program did
 */
export function requireOwnDatabase(path: string): void {
  // A connection that can write turns on the log, and a new file has nothing to read.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const connection = new Connection(path, { readOnly: true });
  try {
    if (!isForeign(connection)) return;
    throw new IncompatibleStoreError(
      `${path} is a database of another program; specify another data directory`,
    );
  } finally {
    connection.close();
  }
}
