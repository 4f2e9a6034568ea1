/** A PostgreSQL server for tests, in a folder of its own. */

import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statfsSync,
} from "node:fs";
import { dirname, join } from "node:path";
// @ts-types="@types/pg"
import pg from "pg";
import type { PgAddress } from "../src/store/postgres/connection.ts";
import { freePort } from "./free_port.ts";
import { makeTempDirSync, rm } from "./temp_dir.ts";
import { requireTool } from "./tools.ts";

/** A running server. */
export interface PostgresServer {
  readonly port: number;
  /** The folder with the server's files. */
  readonly data: string;
  /** The database of the administrator. */
  readonly url: string;
  /** Returns the address of a new, empty schema. */
  newSchema(): PgAddress;
  /** Runs statements as the administrator. */
  query<Row>(text: string): Promise<Row[]>;
  /** Stops the server: `fast` ends connections, `immediate` is like a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Replaces the server, which is stopped, with a standby of another one. */
  follow(primary: PostgresServer): Promise<void>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
  /** Stops the server and deletes its folder. */
  close(): Promise<void>;
}

/**
 * Starts a server. It can't run as root, so root starts it as the user of Debian's package.
 *
 * @param settings in addition to the defaults, e.g. `fsync=off`
 * @param parent where to create the server's folder. Defaults to the folder for temporary files
 * @param primary server whose standby this one is
 */
export async function startPostgres(
  settings: readonly string[] = [],
  parent?: string,
  primary?: PostgresServer,
): Promise<PostgresServer> {
  const folder = makeTempDirSync(parent);
  const [port, data] = [await freePort(), join(folder, "data")];
  // A link to the program may have been put on the path.
  const bin = dirname(realpathSync(requireTool("initdb")));
  const user = serverUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const run = (program: string, ...args: readonly string[]) =>
    execute(asServerUser([join(bin, program), ...args]));
  const copy = ({ url }: PostgresServer) =>
    run("pg_basebackup", "-D", data, "-d", url, "-R", "-c", "fast", "-N");
  if (primary === undefined) await copyEmptyCluster(bin, data);
  else await copy(primary);
  const options = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
  ]
    .concat(settings).map((setting) => `-c ${setting}`).join(" ");
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = () =>
    run("pg_ctl", "-D", data, "-l", join(folder, "log"), "-o", options, "-w", "start");
  const stop = (mode: string) => run("pg_ctl", "-D", data, "-m", mode, "-w", "stop");
  await start();
  return {
    port,
    data,
    start,
    stop,
    url,
    newSchema: () => ({ url, schema: randomSchema() }),
    query: (text) => queryPostgres(url, text),
    async follow(primary) {
      await rm(data);
      await copy(primary);
      await start();
    },
    promote: () => run("pg_ctl", "-D", data, "-w", "promote"),
    async close() {
      await stop("immediate").catch(() => undefined);
      await rm(folder);
    },
  };
}

/** Empty clusters to copy: `initdb` needs ten times as much processor time. */
const EMPTY_CLUSTERS = join(import.meta.dirname!, "..", "dist", "postgres");

/**
 * Copies an empty cluster to a folder. It is created on first use and kept in `dist/postgres`, for
 * each version and user.
 *
 * @param bin folder of the server's programs
 */
async function copyEmptyCluster(bin: string, data: string): Promise<void> {
  const { stdout } = await new Deno.Command(join(bin, "initdb"), { args: ["--version"] }).output();
  const [, version] = / (\d[^ ]*)/.exec(new TextDecoder().decode(stdout)) ?? [];
  mkdirSync(EMPTY_CLUSTERS, { recursive: true });
  const cluster = join(EMPTY_CLUSTERS, `${version}-${Deno.uid()}`);
  // Test files that run at the same time share it.
  using lock = await Deno.open(`${cluster}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (existsSync(cluster)) return await execute(["cp", "-a", cluster, data]);
  const args = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"];
  await execute(asServerUser([join(bin, "initdb"), ...args]));
  // A copy that was cut off has another name.
  await rm(`${cluster}.new`);
  await execute(["cp", "-a", data, `${cluster}.new`]);
  renameSync(`${cluster}.new`, cluster);
}

async function execute([program, ...args]: readonly string[]): Promise<void> {
  // The server would keep a pipe open.
  const output = { stdout: "null", stderr: "null" } as const;
  const { code } = await new Deno.Command(program!, { args, ...output }).output();
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} failed with code ${code}`);
}

/** Space that a server in memory needs, in bytes: enough for all tests. */
const MIN_MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Returns a folder in memory for {@linkcode startPostgres}, if there is one with enough space. The
 * store refuses a server that doesn't wait for its disk, but hardly any test depends on the disk.
 */
export function memoryFolder(): string | undefined {
  const folder = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > MIN_MEMORY_BYTES ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a name that no other test uses. */
export function randomSchema(): string {
  return `test_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** Removes a schema with all its tables. */
export async function dropSchema({ url, schema }: PgAddress): Promise<void> {
  await queryPostgres(url, `drop schema if exists ${schema} cascade`);
}

/** Runs statements as the administrator. */
export async function queryPostgres<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Returns a command that runs another one as the user that the server runs as. */
export function asServerUser(command: readonly string[]): readonly string[] {
  const user = serverUser();
  return user === null ? command : [
    requireTool("setpriv"),
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    "--clear-groups",
    ...command,
  ];
}

function serverUser(): { readonly uid: number; readonly gid: number } | null {
  if (Deno.uid() !== 0) return null;
  const line = readFileSync("/etc/passwd", "utf8").split("\n").find((entry) =>
    entry.startsWith("postgres:")
  );
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("There is no user postgres");
  return { uid: Number(uid), gid: Number(gid) };
}
