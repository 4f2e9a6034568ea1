/** The folder of a process's search copies. */

import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolderSync } from "../store/folders.ts";

/** A folder that no other process uses. */
export interface CopyFolder {
  readonly path: string;
  /** Allows other processes to use the folder. */
  release(): void;
}

const LOCK_NAME = "lock";

/**
 * Locks the folder at a path or, if other processes use it, the next one with a number. Each process
 * has copies of its own, so it knows their state without reading it. The operating system releases
 * the lock of a process that's killed.
 *
 * The first folder is what the next start begins with. The others aren't worth keeping, so those of
 * processes that have been killed are removed.
 */
export function lockCopyFolder(root: string): CopyFolder {
  for (let number = 1;; number++) {
    const path = number === 1 ? root : `${root}-${number}`;
    makeFolderSync(path);
    const lock = tryLock(path);
    if (lock === undefined) continue;
    removeUnused(root, path);
    return {
      path,
      release() {
        if (number > 1) removeFolder(path);
        lock.close();
      },
    };
  }
}

/** Returns a folder's lock. Undefined if another process has it or is removing the folder. */
function tryLock(folder: string): Deno.FsFile | undefined {
  const path = join(folder, LOCK_NAME);
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path, { create: true, write: true });
    // The other process removes its lock last. Then this one locks a file that is no longer there.
    if (file.tryLockSync(true) && file.statSync().ino === statSync(path).ino) return file;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  file?.close();
  return undefined;
}

/** Removes the folders with a number that no process uses, except for one. */
function removeUnused(root: string, kept: string): void {
  const prefix = `${basename(root)}-`;
  for (const name of readdirSync(dirname(root))) {
    const path = join(dirname(root), name);
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length)) || path === kept) {
      continue;
    }
    try {
      const lock = tryLock(path);
      if (lock === undefined) continue;
      removeFolder(path);
      lock.close();
    } catch {
      // It belongs to someone else, and only takes space.
    }
  }
}

/** Removes a folder that this process has locked. Others can begin to use it again at any moment. */
function removeFolder(path: string): void {
  for (const name of readdirSync(path)) {
    if (name !== LOCK_NAME) rmSync(join(path, name), { recursive: true, force: true });
  }
  rmSync(join(path, LOCK_NAME), { force: true });
  try {
    rmdirSync(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && !isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || (error as { code?: string }).code === "ENOENT";
}
