/** What commands that run beside the server of a data directory have to know of it. */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isServerRunning } from "./lock.ts";

const SERVER_FILE = "server.json";

/** A server, as it notes itself. */
export interface ServerFile {
  readonly url: string;
  /** Whether its webhooks may reach private networks. */
  readonly webhooksAllowPrivate: boolean;
}

/** Writes down what a server is: whoever reads it finds all of it, or nothing. */
export function writeServerFile(directory: string, server: ServerFile): void {
  const file = join(directory, SERVER_FILE);
  writeFileSync(`${file}.part`, JSON.stringify(server), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Removes what an earlier server wrote, before the next one holds the directory for long. */
export function deleteServerFile(directory: string): void {
  rmSync(join(directory, SERVER_FILE), { force: true });
}

/** The server that runs on a data directory; null when none does. */
export function findRunningServer(directory: string): ServerFile | null {
  const file = join(directory, SERVER_FILE);
  if (!existsSync(file) || !isServerRunning(directory)) return null;
  return JSON.parse(readFileSync(file, "utf8"));
}
