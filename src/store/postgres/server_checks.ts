/** Refuses servers that are too old, or could lose a change after it was acknowledged. */

import { IncompatibleStoreError } from "../incompatible.ts";
import { type PgAddress, PgConnection } from "./connection.ts";

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
  const { rows } = await connection.exec<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in
      ('server_version_num', 'server_version', 'server_encoding', 'fsync', 'full_page_writes',
       'synchronous_commit')`,
  );
  const reason = unusableReason(
    Object.fromEntries(rows.map(({ name, setting }) => [name, setting])),
  );
  if (reason !== null) throw new IncompatibleStoreError(reason);
  const [standby] = (await connection.exec("select 1 where pg_is_in_recovery()")).rows;
  if (standby !== undefined) {
    throw new IncompatibleStoreError(
      "The database server is a read-only standby; connect to the primary server",
    );
  }
}

/** How often to compare the server's processes that serve two connections. */
const SESSION_CHECKS = 4;

/**
 * Checks that a connection keeps its process on the server. It has settings and locks there, which a
 * pooler in transaction mode would hand to others.
 *
 * @param address that of the connection
 * @throws IncompatibleStoreError if it doesn't
 */
export async function requireSession(
  connection: PgConnection,
  address: PgAddress,
): Promise<void> {
  if (!connection.isPooled) return;
  const other = await PgConnection.open(address);
  try {
    const [own, others] = [new Set([connection.processId]), new Set([other.processId])];
    for (let check = 0; check < SESSION_CHECKS; check++) {
      own.add(await connection.readProcessId());
      others.add(await other.readProcessId());
    }
    if (own.size === 1 && others.size === 1 && own.isDisjointFrom(others)) return;
  } finally {
    other.destroy();
  }
  throw new IncompatibleStoreError(
    "The database is behind a pooler in transaction mode; use its session mode, or connect to " +
      "the server directly",
  );
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
