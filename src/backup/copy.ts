/**
 * A copy of a data directory that `serve --data` opens: one point in time of the database, every
 * file that it names, and not called a backup before all of it was read back and checked.
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
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { blobFolder, blobPath } from "../store/blobs.ts";
import { listEntries, syncPath } from "../store/folders.ts";
import { Connection } from "../store/sqlite/connection.ts";
import { databasePath } from "../store/sqlite/store.ts";

/** Attempts at a copy: one fails when a file is removed while it is made. */
const MAX_ATTEMPTS = 3;

const READ_BUFFER_BYTES = 1024 * 1024;

/** More pages than a database can have. */
const ALL_PAGES = 2 ** 31 - 1;

/** What the name of an unfinished copy ends with. */
const PARTIAL_SUFFIX = ".partial";

/** What was copied. */
export interface CopyReport {
  readonly directory: string;
  readonly schema: number;
  readonly files: number;
  readonly bytes: number;
}

/** Why there is no copy; the message is one line for the person at the terminal. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/**
 * Copies a data directory, which a server may be writing to. Blocks its thread.
 *
 * @param target must not exist or be empty; it is a data directory once the copy is whole and
 * checked, not before
 * @throws CopyError when the target holds something, or the source is no data directory or damaged
 */
export async function copyDataDirectory(source: string, target: string): Promise<CopyReport> {
  if (!existsSync(databasePath(source))) {
    throw new CopyError(`"${source}" is no data directory: it has no ${databasePath("")}`);
  }
  if (statSync(target, { throwIfNoEntry: false })?.isFile()) {
    throw new CopyError(`"${target}" is a file; name a new directory`);
  }
  if (existsSync(target) && listEntries(target).some((name) => name !== PARTIAL_SUFFIX)) {
    throw new CopyError(`"${target}" is not empty; name a new directory`);
  }
  const partial = existsSync(target)
    ? join(target, PARTIAL_SUFFIX)
    : resolve(target) + PARTIAL_SUFFIX;
  mkdirSync(dirname(partial), { recursive: true });
  try {
    for (let attempt = 1;; attempt++) {
      rmSync(partial, { recursive: true, force: true });
      mkdirSync(blobFolder(partial), { recursive: true, mode: 0o700 });
      await copyDatabase(source, partial);
      const missing = copyBlobs(source, partial);
      // A file that is gone was named at the copy's point in time, and no longer is: begin anew.
      if (missing === null) break;
      if (attempt === MAX_ATTEMPTS) throw new CopyError(`The blob ${missing} is missing`);
    }
    const report = verify(partial);
    syncPath(partial);
    moveIntoPlace(partial, target);
    return { ...report, directory: target };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Copies all pages in one step: one point in time beside the server's writes, which go on in the
 * log (sqlite.org/backup.html). `vacuum into` would do as well, but attaching a database takes
 * more permissions under Deno than the service has.
 */
async function copyDatabase(source: string, target: string): Promise<void> {
  const database = new DatabaseSync(databasePath(source), { readOnly: true });
  try {
    await backup(database, databasePath(target), { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  syncPath(databasePath(target));
}

/** Copies the files that the copied database names; answers the first that isn't there. */
function copyBlobs(source: string, target: string): string | null {
  const [there, here] = [blobFolder(source), blobFolder(target)];
  for (const { hash } of referencedBlobs(target)) {
    const [from, to] = [blobPath(there, hash), blobPath(here, hash)];
    if (!existsSync(from)) return hash;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    copyFileSync(from, to);
    syncPath(to);
    syncPath(dirname(to));
  }
  return null;
}

/** @throws CopyError unless the database is sound and every file is what its name says */
function verify(directory: string): CopyReport {
  const connection = new Connection(databasePath(directory), { readOnly: true });
  try {
    const fault = connection.all<{ integrity_check: string }>(sql`pragma integrity_check(1)`)[0];
    if (fault?.integrity_check !== "ok") {
      throw new CopyError(`The database is damaged: ${fault?.integrity_check}`);
    }
    if (connection.first(sql`pragma foreign_key_check`) !== undefined) {
      throw new CopyError("The database names rows that are not there");
    }
    const { user_version } = connection.first<{ user_version: number }>(sql`pragma user_version`)!;
    const [named, folder] = [referencedBlobs(directory), blobFolder(directory)];
    const damaged = named.find(({ hash }) => hashFile(blobPath(folder, hash)) !== hash);
    if (damaged !== undefined) throw new CopyError(`The blob ${damaged.hash} is damaged`);
    const bytes = named.reduce((sum, { size }) => sum + size, 0);
    return { directory, schema: user_version, files: named.length, bytes };
  } finally {
    connection.close();
  }
}

/**
 * Moves a copy to where it belongs. A directory that is there already stays: it may be a volume's,
 * which can't be removed, or have its owner and its rights. Its database comes last, since that is
 * what makes a directory a data directory.
 */
function moveIntoPlace(partial: string, target: string): void {
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

/** Every file that a database names. */
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

/** SHA-256 of a file, read piece by piece. */
export function hashFile(path: string): string {
  const digest = createHash("sha256");
  const piece = new Uint8Array(READ_BUFFER_BYTES);
  const file = openSync(path, "r");
  try {
    for (;;) {
      const length = readSync(file, piece, 0, piece.length, null);
      if (length === 0) return digest.digest("hex");
      digest.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
