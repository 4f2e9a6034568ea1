/**
 * Creates and syncs folders in a data directory. A new entry is only durable once its parent folder
 * is synced.
 */

import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Returns what's wrong with a path at which a folder exists or can be created, or null if nothing
 * is. A link to a folder is fine, unless that folder is missing, e.g. because its disk is.
 *
 * @throws the error of the file system if the path can't be read
 */
export function folderProblem(path: string): string | null {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return null;
  const target = statSync(path, { throwIfNoEntry: false });
  if (target === undefined) return `"${path}" is a link to a directory that doesn't exist`;
  if (target.isDirectory()) return null;
  return `"${path}" is ${target.isFile() ? "a file" : "not a directory"}`;
}

/**
 * Creates a folder accessible only to its owner, along with any missing parents, and syncs their
 * entries. Syncs an existing folder too, in case the process that created it was killed before it
 * got to do so.
 */
export function makeFolderSync(path: string): void {
  const folder = resolve(path);
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 }) ?? folder;
  for (let created = folder;; created = dirname(created)) {
    syncFolderSync(dirname(created));
    if (created === first || created === dirname(created)) return;
  }
}

/** Found in the root of a new ext2, ext3 or ext4 file system (man 8 mklost+found). */
const LOST_AND_FOUND = "lost+found";

/**
 * Returns a folder's entries, ignoring `lost+found`, so the root of a new file system counts as
 * empty.
 */
export function listEntries(path: string): string[] {
  return readdirSync(path).filter((name) => name !== LOST_AND_FOUND);
}

/** Returns a folder's entries, or an empty list if it doesn't exist. */
export async function listEntriesIfExists(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}

/** Makes a folder's entries durable. Unreadable folders are skipped. */
function syncFolderSync(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    if ((error as { code?: string }).code !== "EACCES") throw error;
  }
}

/** Makes a file's content or a folder's entries durable (man 2 fsync). */
export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a folder's entries durable without blocking the thread. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
