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
 * Checks a server's version, encoding, durability, and that it can write.
 *
 * @throws IncompatibleStoreError if one of them doesn't do
 */
export async function requireSafeServer(connection: PgConnection): Promise<void> {
  const { rows } = await connection.exec(
    `select name, setting from pg_settings where name in
      ('server_version_num', 'server_version', 'server_encoding', 'fsync', 'full_page_writes',
       'synchronous_commit')`,
  );
  const settings = rows as readonly { name: string; setting: string }[];
  const reason = unusableReason(
    Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
  );
  if (reason !== null) throw new IncompatibleStoreError(reason);
  const [standby] = (await connection.exec("select 1 where pg_is_in_recovery()")).rows;
  if (standby !== undefined) {
    throw new IncompatibleStoreError(
      "The database server is a read-only standby; connect to the primary server",
    );
  }
}

/** Returns why a server with these settings can't be used, or null. */
export function unusableReason(settings: Readonly<Record<string, string>>): string | null {
  const { server_version_num, server_version, server_encoding } = settings;
  if (Number(server_version_num) < MIN_VERSION) {
    return `PostgreSQL ${server_version} is too old; Commonplace requires 14 or later`;
  }
  if (server_encoding !== "UTF8") {
    return `The database has the encoding ${server_encoding}; create one with encoding 'UTF8'`;
  }
  for (const [name, values] of Object.entries(UNSAFE_SETTINGS)) {
    if (!values.includes(settings[name]!)) continue;
    return `The database server has ${name} = ${settings[name]}, so a crash could lose ` +
      `acknowledged changes; set ${name} = on`;
  }
  return null;
}
