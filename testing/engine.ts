/** The storage engine of the servers that tests start: COMMONPLACE_TEST_ENGINE, sqlite by default. */

import type { PgAddress } from "../src/store/postgres/connection.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/** Started by the first test of a file that needs it. */
let server: PostgresServer | undefined;

/** Returns the address of a new database for a server, or undefined for SQLite. */
export async function newTestDatabase(): Promise<PgAddress | undefined> {
  if (Deno.env.get("COMMONPLACE_TEST_ENGINE") !== "postgres") return undefined;
  return (server ??= await startPostgres()).newSchema();
}

globalThis.addEventListener("unload", () => server?.kill());
