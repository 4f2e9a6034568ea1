/** A file with facts about the running server, for commands that run at the same time. */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isServerRunning } from "./lock.ts";

const SERVER_FILE = "server.json";

/** Facts about a running server. */
export interface ServerFile {
  readonly url: string;
  /** Whether webhooks can reach private networks. */
  readonly webhooksAllowPrivate: boolean;
}

/** Writes the file atomically: readers see all of it or none. */
export function writeServerFile(directory: string, server: ServerFile): void {
  const file = join(directory, SERVER_FILE);
  writeFileSync(`${file}.part`, JSON.stringify(server), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Deletes the file of an earlier server. Called before a new server is ready. */
export function deleteServerFile(directory: string): void {
  rmSync(join(directory, SERVER_FILE), { force: true });
}

/** Returns the server that runs on a data directory, or null if there is none. */
export function findRunningServer(directory: string): ServerFile | null {
  const file = join(directory, SERVER_FILE);
  if (!existsSync(file) || !isServerRunning(directory)) return null;
  return JSON.parse(readFileSync(file, "utf8"));
}
