/** A file with facts about the running server, for commands that run alongside it. */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isServerRunning } from "./lock.ts";

const SERVER_FILE = "server.json";

/** Facts about a running server. */
export interface ServerFile {
  readonly url: string;
  /** Whether webhooks are allowed to reach private networks. */
  readonly webhooksAllowPrivate: boolean;
}

/** Writes the file atomically, so that readers see either all of it or nothing. */
export function writeServerFile(directory: string, server: ServerFile): void {
  const file = join(directory, SERVER_FILE);
  writeFileSync(`${file}.part`, JSON.stringify(server), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Deletes the file left by an earlier server. Called before a new server is ready. */
export function deleteServerFile(directory: string): void {
  rmSync(join(directory, SERVER_FILE), { force: true });
}

/** Returns the server that is running on a data directory, or null if there isn't one. */
export function findRunningServer(directory: string): ServerFile | null {
  const file = join(directory, SERVER_FILE);
  if (!existsSync(file) || !isServerRunning(directory)) return null;
  return JSON.parse(readFileSync(file, "utf8"));
}
