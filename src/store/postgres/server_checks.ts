/** Refuses servers that are too old, or could lose a change after it was acknowledged. */

import { IncompatibleStoreError } from "../incompatible.ts";
import type { PgConnection } from "./connection.ts";

/** Minimum version, as in `server_version_num`. */
const MIN_VERSION = 140_000;

/** Settings that make a commit on disk doubtful, with their values. */
const UNSAFE_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  fsync: ["off"],
  full_page_writes: ["off"],
  synchronous_commit: ["off"],
};

/**
 * Checks a server's version, encoding and durability.
 *
 * @throws IncompatibleStoreError if one of them doesn't do
 */
export async function requireSafeServer(connection: PgConnection): Promise<void> {
  const { rows } = await connection.exec(
    `select name, setting from pg_settings where name in
      ('server_version_num', 'server_version', 'server_encoding', 'fsync', 'full_page_writes',
       'synchronous_commit')`,
  );
  const settings = new Map(
    (rows as readonly { name: string; setting: string }[]).map((row) => [row.name, row.setting]),
  );
  if (Number(settings.get("server_version_num")) < MIN_VERSION) {
    throw new IncompatibleStoreError(
      `PostgreSQL ${settings.get("server_version")} is too old; Commonplace requires 14 or later`,
    );
  }
  const encoding = settings.get("server_encoding");
  if (encoding !== "UTF8") {
    throw new IncompatibleStoreError(
      `The database has the encoding ${encoding}; create one with encoding 'UTF8'`,
    );
  }
  for (const [name, values] of Object.entries(UNSAFE_SETTINGS)) {
    const value = settings.get(name)!;
    if (!values.includes(value)) continue;
    throw new IncompatibleStoreError(
      `The database server has ${name} = ${value}, so a crash could lose acknowledged changes; ` +
        `set ${name} = on`,
    );
  }
}
