/** The folders of a data directory. A new name is durable once the folder around it is synced. */

import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder that only its owner may use, and those above it that are missing, and syncs their
 * names. An existing folder is synced too: whoever made it may have been killed before doing so.
 */
export function makeFolderSync(path: string): void {
  const folder = resolve(path);
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 }) ?? folder;
  for (let made = folder;; made = dirname(made)) {
    syncFolderSync(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

/** What a new file system of ext2 to ext4 has in its root (man 8 mklost+found). */
const LOST_AND_FOUND = "lost+found";

/** What a folder holds; nothing, if it is the root of a new file system. */
export function listEntries(path: string): string[] {
  return readdirSync(path).filter((name) => name !== LOST_AND_FOUND);
}

/** The names in a folder; none when it isn't there. */
export async function listEntriesIfExists(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}

/** Makes the names in a folder durable, unless the folder may not be read. */
function syncFolderSync(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    if ((error as { code?: string }).code !== "EACCES") throw error;
  }
}

/** Makes what is in a file, or the names in a folder, durable (man 2 fsync). */
export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable, without blocking the thread. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
