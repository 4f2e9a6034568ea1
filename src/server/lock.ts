/**
 * Locks of a data directory. Only one server can run on it, because a second one would take over
 * the work of the first as abandoned. Local MCP processes can run at the same time, and one of them
 * does the background work if there is no server.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { delay, systemTimers } from "../kernel/timers.ts";
import { makeFolderSync } from "../store/folders.ts";
import { ConfigError } from "./config.ts";

/**
 * `isServerRunning` holds the lock for a few microseconds. A server that starts at that moment
 * retries.
 */
const LOCK_RETRY = { maxAttempts: 5, delayMs: 20 } as const;

/**
 * Locks a data directory until the process exits or the returned function is called. The operating
 * system releases the lock of a killed process.
 *
 * @throws ConfigError if another server holds the lock, or the path is a file
 */
export async function lockDataDirectory(directory: string): Promise<() => void> {
  if (statSync(directory, { throwIfNoEntry: false })?.isFile()) {
    throw new ConfigError(`--data must be a directory, but "${directory}" is a file`);
  }
  for (let attempt = 1;; attempt++) {
    const unlock = tryLock(directory, "server.lock");
    if (unlock !== null) return unlock;
    if (attempt === LOCK_RETRY.maxAttempts) {
      throw new ConfigError(`A server is already running on ${directory}`);
    }
    await delay(systemTimers, LOCK_RETRY.delayMs);
  }
}

/** Checks whether a server runs on a data directory. */
export function isServerRunning(directory: string): boolean {
  const unlock = tryLock(directory, "server.lock", "shared");
  unlock?.();
  return unlock === null;
}

/**
 * Locks the background work of a data directory, for a process that does it instead of a server.
 *
 * @returns a function that unlocks it, or null if another process holds the lock
 */
export function tryLockBackgroundWork(directory: string): (() => void) | null {
  return tryLock(directory, "work.lock");
}

function tryLock(
  directory: string,
  name: string,
  mode: "exclusive" | "shared" = "exclusive",
): (() => void) | null {
  makeFolderSync(directory);
  const file = Deno.openSync(join(directory, name), { create: true, write: true });
  if (file.tryLockSync(mode === "exclusive")) return () => file.close();
  file.close();
  return null;
}
