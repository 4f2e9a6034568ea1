/**
 * Copies a data directory so that `serve --data` can open the copy. The copy contains the database
 * as of a single point in time, plus every file it references, and only counts as a backup once all
 * of it has been read and checked.
 */

import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { formatMegabytes, NO_REPORT, type ReportStep } from "../kernel/progress.ts";
import { hashInName, isBlobName } from "../store/blobs/blobs.ts";
import { blobFolder, blobPath } from "../store/blobs/folder.ts";
import { folderProblem, listEntries, syncPath } from "../store/folders.ts";
import { Connection } from "../store/sqlite/connection.ts";
import { requireOwnDatabase } from "../store/sqlite/own_database.ts";
import { databasePath, dataDirectoryProblem } from "../store/sqlite/store.ts";

/** Maximum number of attempts. An attempt fails if a file is deleted mid-copy. */
const MAX_ATTEMPTS = 3;

const READ_BUFFER_BYTES = 1024 * 1024;

/** More pages than any database can have. */
const ALL_PAGES = 2 ** 31 - 1;

/** Suffix for unfinished copies. */
export const PARTIAL_SUFFIX = ".partial";

/** Summary of a copy. */
export interface CopyReport {
  readonly directory: string;
  readonly schema: number;
  readonly files: number;
  readonly bytes: number;
}

/** A copy error. The message is a single line for the terminal. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/**
 * Copies a data directory, even while a server is writing to it. Blocks its thread.
 *
 * @param report called with each step
 * @param target must be empty or not exist. Only becomes a data directory once the copy is complete
 *   and has been checked
 * @throws CopyError if the target is not empty, or if the source is damaged or not a data directory
 * @throws IncompatibleStoreError if the source is the database of another program
 */
export async function copyDataDirectory(
  source: string,
  target: string,
  report: ReportStep = NO_REPORT,
): Promise<CopyReport> {
  const problem = dataDirectoryProblem(source);
  if (problem !== null) throw new CopyError(problem);
  requireOwnDatabase(databasePath(source));
  const partial = partialFolder(target, source);
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(blobFolder(partial), { recursive: true, mode: 0o700 });
    for (let attempt = 1;; attempt++) {
      report(`Copying the database, ${formatMegabytes(statSync(databasePath(source)).size)}`);
      await copyDatabase(source, partial);
      turnOffLog(databasePath(partial));
      const hashes = referencedBlobs(partial).map(({ hash }) => hash);
      deleteOtherBlobs(blobFolder(partial), hashes);
      const missing = copyBlobs(blobFolder(source), blobFolder(partial), hashes, report);
      if (missing === null) break;
      if (attempt === MAX_ATTEMPTS) throw new CopyError(`Blob ${missing} is missing`);
      // Referenced when the database was copied, but not anymore. Try again with the files that
      // have been copied.
      rmSync(databasePath(partial));
    }
    const verified = checkDataDirectory(partial, report);
    syncPath(partial);
    moveIntoPlace(partial, target);
    return { ...verified, directory: target };
  } catch (error) {
    // SQLite names no file, and the file system the one that is copied.
    throw isDiskFull(error) ? new CopyError(`The disk of "${target}" is full`) : error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function isDiskFull(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  // The error of `backup` has no number (Deno 2.9.6).
  return code === "ENOSPC" || message === "database or disk is full";
}

/**
 * Returns the folder in which a data directory is made before it gets its name.
 *
 * @param source the data directory that is copied, which must not be that folder
 * @throws CopyError if the target is not a directory or not empty, or if that folder has other files
 */
export function partialFolder(target: string, source?: string): string {
  const problem = folderProblem(target);
  if (problem !== null) throw new CopyError(`${problem}; specify a new directory`);
  if (existsSync(target) && listEntries(target).some((name) => name !== PARTIAL_SUFFIX)) {
    throw new CopyError(`"${target}" is not empty; specify a new directory`);
  }
  const partial = partialPath(target);
  if (existsSync(partial) && (!isUnfinished(partial) || isSame(partial, source))) {
    throw new CopyError(`"${partial}" is in the way; specify another directory`);
  }
  mkdirSync(dirname(partial), { recursive: true });
  return partial;
}

function isSame(folder: string, other: string | undefined): boolean {
  return other !== undefined && existsSync(other) && realpathSync(folder) === realpathSync(other);
}

/** Deletes the folder of a copy that didn't finish, but not one of the same name with other files. */
export function deleteUnfinished(partial: string): void {
  if (existsSync(partial) && isUnfinished(partial)) {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Checks whether a folder was left by a copy that didn't finish, so that it can be deleted. */
function isUnfinished(folder: string): boolean {
  if (folderProblem(folder) !== null) return false;
  const entries = listEntries(folder);
  return entries.length === 0 ||
    entries.includes(basename(blobFolder(folder))) || entries.includes(databasePath(""));
}

/** Returns the path of that folder, without checking the target. */
export function partialPath(target: string): string {
  return existsSync(target) ? join(target, PARTIAL_SUFFIX) : resolve(target) + PARTIAL_SUFFIX;
}

/**
 * Copies the database in a folder to another folder. All pages are copied in a single step, for a
 * consistent view while the server keeps writing to the log (sqlite.org/backup.html). `vacuum into`
 * would work too, but attaches a database, so under Deno it needs more permissions than the service
 * has.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const database = new DatabaseSync(databasePath(source), { readOnly: true });
  try {
    await backup(database, databasePath(target), { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  syncPath(databasePath(target));
}

/**
 * Makes a database a single file, until a server opens it. With a log, even reading it creates files
 * next to it, which is impossible on a read-only disk.
 */
function turnOffLog(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma journal_mode = delete");
  } finally {
    database.close();
  }
  syncPath(path);
}

/**
 * Copies files that the target doesn't have yet.
 *
 * @returns the name of the first missing one, or null
 */
function copyBlobs(
  source: string,
  target: string,
  hashes: readonly string[],
  report: ReportStep = NO_REPORT,
): string | null {
  for (const [index, hash] of hashes.entries()) {
    report(`Copying file ${index + 1} of ${hashes.length}`);
    const [from, to] = [blobPath(source, hash), blobPath(target, hash)];
    if (existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    // A file that has its name is complete.
    try {
      copyFileSync(from, to + PARTIAL_SUFFIX);
    } catch (error) {
      // Checking for the file first would miss its deletion right after that.
      if ((error as { code?: string }).code === "ENOENT") return hash;
      throw error;
    }
    syncPath(to + PARTIAL_SUFFIX);
    renameSync(to + PARTIAL_SUFFIX, to);
    syncPath(dirname(to));
  }
  return null;
}

/** Deletes the files that an earlier attempt copied and no one refers to anymore. */
function deleteOtherBlobs(folder: string, hashes: readonly string[]): void {
  const wanted = new Set(hashes);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const name = basename(path);
    if (isBlobName(name) && !wanted.has(name)) rmSync(join(folder, path));
  }
}

/**
 * Checks the database and the content of every file.
 *
 * @throws CopyError if the database is damaged or a file's content doesn't match its name
 */
export function checkDataDirectory(
  directory: string,
  report: ReportStep = NO_REPORT,
): CopyReport {
  report("Checking the copy of the database");
  const connection = new Connection(databasePath(directory), { readOnly: true });
  try {
    const check = connection.all<{ integrity_check: string }>(sql`pragma integrity_check(1)`)[0];
    if (check?.integrity_check !== "ok") {
      throw new CopyError(`The database is damaged: ${check?.integrity_check}`);
    }
    if (connection.first(sql`pragma foreign_key_check`) !== undefined) {
      throw new CopyError("The database refers to rows that do not exist");
    }
    const { user_version } = connection.first<{ user_version: number }>(sql`pragma user_version`)!;
    const [blobs, folder] = [referencedBlobs(directory), blobFolder(directory)];
    const damaged = blobs.find(({ hash }, index) => {
      report(`Checking file ${index + 1} of ${blobs.length}`);
      return hashFile(blobPath(folder, hash)) !== hashInName(hash);
    });
    if (damaged !== undefined) throw new CopyError(`Blob ${damaged.hash} is damaged`);
    const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
    return { directory, schema: user_version, files: blobs.length, bytes };
  } finally {
    connection.close();
  }
}

/**
 * Moves a copy to its target. An existing directory is kept: it can be a mounted volume, which
 * can't be deleted, or have an owner and permissions that must be preserved. The database goes
 * last, since it's what makes a directory a data directory.
 */
export function moveIntoPlace(partial: string, target: string): void {
  if (existsSync(target)) {
    const database = databasePath("");
    const others = readdirSync(partial).filter((name) => name !== database);
    for (const name of [...others, database]) renameSync(join(partial, name), join(target, name));
    syncPath(target);
    return;
  }
  renameSync(partial, target);
  syncPath(dirname(resolve(target)));
}

/** Returns every file referenced by a database. */
export function referencedBlobs(
  directory: string,
): { readonly hash: string; readonly size: number }[] {
  const connection = new Connection(databasePath(directory), { readOnly: true });
  try {
    return connection.all(sql`select hash, max(size) as size from blob_names group by hash`);
  } finally {
    connection.close();
  }
}

/** Returns a file's SHA-256. Reads the file in chunks. */
export function hashFile(path: string): string {
  const digest = createHash("sha256");
  const buffer = new Uint8Array(READ_BUFFER_BYTES);
  const file = openSync(path, "r");
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, buffer.length, null);
      if (length === 0) return digest.digest("hex");
      digest.update(buffer.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
