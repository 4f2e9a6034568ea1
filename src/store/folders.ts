/**
 * Folders in a data directory. A new entry is only durable once the folder that contains it is
 * synced.
 */

import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder that only its owner can access, along with any missing parents, and syncs their
 * entries. An existing folder is synced too, because the process that created it might have been
 * killed before it got to do so.
 */
export function makeFolderSync(path: string): void {
  const folder = resolve(path);
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 }) ?? folder;
  for (let created = folder;; created = dirname(created)) {
    syncFolderSync(dirname(created));
    if (created === first || created === dirname(created)) return;
  }
}

/** Folder in the root of a new ext2, ext3 or ext4 file system (man 8 mklost+found). */
const LOST_AND_FOUND = "lost+found";

/**
 * Returns the entries of a folder. `lost+found` is ignored, so that the root of a new file system
 * counts as empty.
 */
export function listEntries(path: string): string[] {
  return readdirSync(path).filter((name) => name !== LOST_AND_FOUND);
}

/** Returns the entries of a folder, or an empty list if the folder does not exist. */
export async function listEntriesIfExists(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}

/** Makes the entries of a folder durable. A folder that can't be read is skipped. */
function syncFolderSync(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    if ((error as { code?: string }).code !== "EACCES") throw error;
  }
}

/** Makes the content of a file or the entries of a folder durable (man 2 fsync). */
export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the entries of a folder durable without blocking the thread. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
