/**
 * Locks for a data directory. Only one server can run on it at a time. A second one would take over
 * the first one's work, believing it to be abandoned. Local MCP processes can run alongside, and
 * one of them does the background work if there's no server.
 */

import { join } from "node:path";
import type { ReportStep } from "../kernel/progress.ts";
import { delay, systemTimers } from "../kernel/timers.ts";
import { folderProblem, makeFolderSync } from "../store/folders.ts";
import { ConfigError } from "./config.ts";

/**
 * `isServerRunning` holds the lock for a few microseconds. A server starting at that very moment
 * tries again.
 */
const LOCK_RETRY = { maxAttempts: 5, delayMs: 20 } as const;

/** How long a process waits before it tries again to lock the text indexes, in milliseconds. */
const INDEX_LOCK_RETRY_MS = 50;

/**
 * Locks a data directory until the process exits or the returned function is called. If the process
 * is killed, the operating system releases the lock.
 *
 * @throws ConfigError if another server holds the lock, or the path is not a directory
 */
export async function lockDataDirectory(directory: string): Promise<() => void> {
  const problem = folderProblem(directory);
  if (problem !== null) throw new ConfigError(`--data must be a directory, but ${problem}`);
  for (let attempt = 1;; attempt++) {
    const unlock = tryLock(directory, "server.lock");
    if (unlock !== null) return unlock;
    if (attempt === LOCK_RETRY.maxAttempts) {
      throw new ConfigError(`A server is already running on ${directory}`);
    }
    await delay(systemTimers, LOCK_RETRY.delayMs);
  }
}

/** Checks whether a server is running on a data directory. */
export function isServerRunning(directory: string): boolean {
  const unlock = tryLock(directory, "server.lock", "shared");
  unlock?.();
  return unlock === null;
}

/**
 * Locks a data directory's background work, for a process that steps in for a server.
 *
 * @returns a function that releases the lock, or null if another process holds it
 */
export function tryLockBackgroundWork(directory: string): (() => void) | null {
  return tryLock(directory, "work.lock");
}

/**
 * Runs `work` while no other process can rebuild this data directory's text indexes. Waits for as
 * long as another one does. If that process is killed, the operating system releases the lock.
 */
export async function withIndexLock<T>(
  directory: string,
  work: () => Promise<T>,
  report: ReportStep,
): Promise<T> {
  let unlock: (() => void) | null;
  while ((unlock = tryLock(directory, "index.lock")) === null) {
    report("Waiting for another process to index the records again");
    await delay(systemTimers, INDEX_LOCK_RETRY_MS);
  }
  try {
    return await work();
  } finally {
    unlock();
  }
}

function tryLock(
  directory: string,
  name: string,
  mode: "exclusive" | "shared" = "exclusive",
): (() => void) | null {
  makeFolderSync(directory);
  const file = openLock(join(directory, name));
  if (file.tryLockSync(mode === "exclusive")) return () => file.close();
  file.close();
  return null;
}

/** @throws ConfigError with the path, which is missing from Deno's error, if permission is missing */
function openLock(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { create: true, write: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new ConfigError(`No permission to write ${path}`);
  }
}
