/** PgBouncer for tests. */

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PgAddress } from "../src/store/postgres/connection.ts";
import { freePort } from "./free_port.ts";
import { asServerUser, type PostgresServer, queryPostgres } from "./postgres.ts";
import { makeTempDirSync, rm } from "./temp_dir.ts";
import { requireTool } from "./tools.ts";
import { waitUntil } from "./wait_until.ts";

/** A running PgBouncer. */
export interface PgBouncer {
  /** Returns an address of the server through PgBouncer. */
  addressOf(address: PgAddress): PgAddress;
  close(): Promise<void>;
}

/**
 * Starts PgBouncer in front of a server.
 *
 * @param settings e.g. `pool_mode=session`
 */
export async function startPgBouncer(
  server: PostgresServer,
  settings: readonly string[],
): Promise<PgBouncer> {
  const folder = makeTempDirSync();
  const port = await freePort();
  const configuration = join(folder, "pgbouncer.ini");
  const users = join(folder, "users");
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(
    configuration,
    [
      "[databases]",
      `* = host=127.0.0.1 port=${server.port}`,
      "[pgbouncer]",
      "listen_addr=127.0.0.1",
      `listen_port=${port}`,
      "unix_socket_dir=",
      "auth_type=trust",
      `auth_file=${users}`,
      ...settings,
    ].join("\n"),
  );
  // PgBouncer doesn't run as root either.
  chmodSync(folder, 0o755);
  const [command, ...args] = asServerUser([requireTool("pgbouncer"), "--quiet", configuration]);
  const output = { stdout: "null", stderr: "piped" } as const;
  const process = new Deno.Command(command!, { args, ...output }).spawn();
  const log = new Response(process.stderr).text();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const close = async () => {
    try {
      process.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await process.status;
    await log;
    await rm(folder);
  };
  try {
    const isUp = () => queryPostgres(url, "select 1").then(() => true, () => false);
    const ended = process.status.then(async () => {
      throw new Error(`PgBouncer ended: ${await log}`);
    });
    await Promise.race([waitUntil(isUp, (up) => up), ended]);
    ended.catch(() => undefined);
  } catch (error) {
    await close();
    throw error;
  }
  return { addressOf: ({ schema }) => ({ url, schema }), close };
}
