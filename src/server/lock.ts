/**
 * One server a data directory: a second one would take the first one's work for abandoned. Local
 * MCP processes may run beside it, and one of them does the server's work while there is none.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { delay, systemTimers } from "../kernel/timers.ts";
import { makeFolderSync } from "../store/folders.ts";
import { ConfigError } from "./config.ts";

/** `serverRuns` holds the lock for some microseconds: a server that starts then tries again. */
const LOCK_RETRY = { maxAttempts: 5, delayMs: 20 } as const;

/**
 * Locks a data directory until the process ends or the returned function is called. The lock is the
 * operating system's, so that a killed server leaves none behind.
 *
 * @throws ConfigError when another server holds it, or the directory is a file
 */
export async function lockDataDirectory(directory: string): Promise<() => void> {
  if (statSync(directory, { throwIfNoEntry: false })?.isFile()) {
    throw new ConfigError(`--data must be a directory, and "${directory}" is a file`);
  }
  for (let attempt = 1;; attempt++) {
    const unlock = tryLock(directory, "server.lock");
    if (unlock !== null) return unlock;
    if (attempt === LOCK_RETRY.maxAttempts) {
      throw new ConfigError(`A server is running on ${directory} already`);
    }
    await delay(systemTimers, LOCK_RETRY.delayMs);
  }
}

/** Whether a server runs on a data directory. */
export function isServerRunning(directory: string): boolean {
  const unlock = tryLock(directory, "server.lock", "shared");
  unlock?.();
  return unlock === null;
}

/**
 * Locks the background work of a data directory, for a process that does it in place of a server.
 * Returns the function that unlocks it, or null when another process has the lock.
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
