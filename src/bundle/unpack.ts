/**
 * Unpacks the single executable and repairs the unpacked folder. It runs before the rest of the
 * program is unpacked, so it must not import any of it.
 */

import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { zstdDecompressSync } from "node:zlib";

/** File of the program inside the executable. */
export interface BundleFile {
  /** Path relative to the unpacked folder. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Offset in the executable; null for the runtime, which is at its end. */
  readonly offset: number | null;
  /**
   * Size in the executable, in bytes: compressed with zstd, or uncompressed if it equals `size`.
   */
  readonly stored: number;
}

/** Every file of the program, in the order in which they are written. */
export type Manifest = readonly BundleFile[];

/** Name of the manifest in the unpacked folder. */
export const MANIFEST = "manifest.json";
/** Name of the runtime in the unpacked folder. */
export const RUNTIME = "deno";
/**
 * Written last; a folder without it is incomplete. Every process that runs from the folder locks
 * it.
 */
const READY_MARKER = "ready";

/**
 * Modification time of every unpacked file. A different one shows that the file was written to:
 * hashing 300 MB at each start would take longer than the start.
 */
const UNPACKED_MTIME = new Date("2000-01-01T00:00:00Z");

/** Names of unfinished folders; `mktemp` in the launcher appends the rest. */
const STAGING_NAME = /^new\./;
/**
 * An unfinished folder that is older than ours by this time belongs to a process that was killed.
 */
const MAX_STAGING_AGE_MS = 3_600_000;
const FOLDER_NAME = /^[0-9a-f]{16}$/;

/** Error that prevents the start of the program. Its message is one line for the terminal. */
export class UnpackError extends Error {
  override readonly name = "UnpackError";
}

/** Executable and target folders, as the launcher passes them. */
export interface Bundle {
  readonly executable: string;
  /** Folder that contains the unpacked folders. */
  readonly unpackRoot: string;
  /** Folder of this launcher within `unpackRoot`. It already contains the runtime. */
  readonly staging: string;
  /** Name of the unpacked folder: the first digits of the manifest's hash. */
  readonly name: string;
  readonly manifestOffset: number;
  readonly manifestSize: number;
}

/** Returns the name of the folder of a manifest. */
export function folderName(manifest: Uint8Array): string {
  return createHash("sha256").update(manifest).digest("hex").slice(0, 16);
}

/**
 * Creates the unpacked folder, or repairs an existing one. If several processes start, one of them
 * unpacks and the others wait. A failure leaves no files behind.
 *
 * @throws UnpackError if the executable is damaged
 */
export function unpack(bundle: Bundle): void {
  const { executable, unpackRoot, staging, name } = bundle;
  const lock = Deno.openSync(join(unpackRoot, "lock"), { create: true, write: true });
  lock.lockSync(true);
  try {
    removeLeftovers(unpackRoot, staging, name);
    const bytes = readAt(executable, bundle.manifestOffset, bundle.manifestSize);
    if (folderName(bytes) !== name) throw damagedExecutable(executable);
    const manifest: Manifest = JSON.parse(new TextDecoder().decode(bytes));
    const folder = join(unpackRoot, name);
    if (existsSync(folder)) {
      replaceFile(folder, MANIFEST, bytes);
      repair(folder, executable, manifest.filter((file) => !verifyFile(folder, file)));
      replaceFile(folder, READY_MARKER, new Uint8Array());
    } else {
      writeFolder(staging, executable, manifest, bytes);
      renameSync(staging, folder);
      syncPath(unpackRoot);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.close();
  }
}

/** Returns the files of a folder whose size or time differs from the unpacked state. */
export function modifiedFiles(folder: string, manifest: Manifest): BundleFile[] {
  return manifest.filter(({ path, size }) => {
    const stats = statSync(join(folder, path), { throwIfNoEntry: false });
    return stats === undefined || stats.size !== size ||
      stats.mtimeMs !== UNPACKED_MTIME.getTime();
  });
}

/**
 * Checks modified files against their hashes and rewrites the damaged ones. Each file is replaced
 * atomically, so programs that run from the folder keep the files that they have open.
 *
 * @returns paths of the damaged files
 */
export function repairModified(
  folder: string,
  executable: string,
  modified: readonly BundleFile[],
): string[] {
  const lock = Deno.openSync(join(dirname(folder), "lock"), { create: true, write: true });
  lock.lockSync(true);
  try {
    const damaged = modified.filter((file) => !verifyFile(folder, file));
    repair(folder, executable, damaged);
    return damaged.map(({ path }) => path);
  } finally {
    lock.close();
  }
}

function repair(folder: string, executable: string, files: readonly BundleFile[]): void {
  for (const file of files) replaceFile(folder, file.path, readContent(executable, file));
}

/**
 * Checks whether the content of a file is correct. If it is, its modification time is reset too.
 */
function verifyFile(folder: string, { path, size, sha256 }: BundleFile): boolean {
  const target = join(folder, path);
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined || stats.size !== size) return false;
  if (hashOf(readFileSync(target)) !== sha256) return false;
  if (stats.mtimeMs !== UNPACKED_MTIME.getTime()) {
    utimesSync(target, UNPACKED_MTIME, UNPACKED_MTIME);
  }
  return true;
}

function writeFolder(
  folder: string,
  executable: string,
  manifest: Manifest,
  manifestBytes: Uint8Array,
): void {
  for (const file of manifest) {
    // The launcher wrote the runtime, and this code runs in it.
    if (file.path !== RUNTIME) writeFile(join(folder, file.path), readContent(executable, file));
    else if (!verifyFile(folder, file)) throw damagedExecutable(executable);
  }
  writeFile(join(folder, MANIFEST), manifestBytes);
  writeFile(join(folder, READY_MARKER), new Uint8Array());
  rmSync(join(folder, "unpack.ts"));
  if (!syncFileSystem(folder)) syncEach(folder);
  // Other users can run what an administrator has unpacked. The folder contains no secrets.
  chmodSync(folder, 0o755);
}

/**
 * Returns the content of a file from the executable.
 *
 * @throws UnpackError if the executable is damaged
 */
function readContent(executable: string, file: BundleFile): Uint8Array {
  const offset = file.offset ?? statSync(executable).size - file.size;
  const stored = readAt(executable, offset, file.stored);
  const content = file.stored === file.size ? stored : decompress(stored);
  if (content === null || hashOf(content) !== file.sha256) throw damagedExecutable(executable);
  return content;
}

function decompress(stored: Uint8Array): Uint8Array | null {
  try {
    return zstdDecompressSync(stored);
  } catch {
    // The only cause is damage, which the caller reports.
    return null;
  }
}

function damagedExecutable(executable: string): UnpackError {
  return new UnpackError(`${executable} is damaged; download it again`);
}

function readAt(path: string, offset: number, size: number): Uint8Array {
  const handle = openSync(path, "r");
  try {
    const bytes = new Uint8Array(size);
    for (let done = 0; done < size;) {
      const read = readSync(handle, bytes, done, size - done, offset + done);
      if (read === 0) throw damagedExecutable(path);
      done += read;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** Replaces a file atomically. */
function replaceFile(folder: string, path: string, content: Uint8Array): void {
  const target = join(folder, path);
  const partial = `${target}.new`;
  try {
    writeFile(partial, content);
    if (path === RUNTIME) chmodSync(partial, 0o755);
    syncPath(partial);
    renameSync(partial, target);
  } finally {
    rmSync(partial, { force: true });
  }
  syncPath(dirname(target));
}

function writeFile(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(path, "w");
  try {
    for (let done = 0; done < content.length;) done += writeSync(handle, content, done);
  } finally {
    closeSync(handle);
  }
  utimesSync(path, UNPACKED_MTIME, UNPACKED_MTIME);
}

/**
 * Syncs all files with one call. Syncing a thousand files one by one took a hundred times as long
 * (measured).
 */
function syncFileSystem(folder: string): boolean {
  try {
    return new Deno.Command("sync", { args: ["-f", folder] }).outputSync().success;
  } catch (error) {
    // The program is not installed on every machine, or may not be run.
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) {
      return false;
    }
    throw error;
  }
}

function syncEach(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) syncPath(join(entry.parentPath, entry.name));
  syncPath(folder);
}

function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Deletes folders that killed processes left unfinished, and other versions that no process runs.
 */
function removeLeftovers(unpackRoot: string, staging: string, name: string): void {
  const now = statSync(staging).mtimeMs;
  for (const entry of readdirSync(unpackRoot)) {
    const path = join(unpackRoot, entry);
    const abandoned = STAGING_NAME.test(entry) && now - statSync(path).mtimeMs > MAX_STAGING_AGE_MS;
    const outdated = FOLDER_NAME.test(entry) && entry !== name && !isInUse(path);
    if (abandoned || outdated) rmSync(path, { recursive: true, force: true });
  }
}

/** Checks whether a process has locked the folder, see {@linkcode lockFolder}. */
function isInUse(folder: string): boolean {
  if (!existsSync(join(folder, READY_MARKER))) return false;
  const file = Deno.openSync(join(folder, READY_MARKER));
  try {
    return !file.tryLockSync(true);
  } finally {
    file.close();
  }
}

/** Prevents other versions from deleting a folder while this process lives. */
export function lockFolder(folder: string): void {
  // Don't wait: a process with the exclusive lock is about to delete the folder or to release the
  // lock.
  Deno.openSync(join(folder, READY_MARKER)).tryLockSync(false);
}

if (import.meta.main) {
  const [executable, unpackRoot, staging, name, manifestOffset, manifestSize] = Deno.args as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  try {
    unpack({
      executable,
      unpackRoot,
      staging,
      name,
      manifestOffset: Number(manifestOffset),
      manifestSize: Number(manifestSize),
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
