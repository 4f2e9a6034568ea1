/**
 * Unpacks the single executable and repairs the unpacked folder. Runs before the rest of the
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

/** A program file inside the executable. */
export interface BundleFile {
  /** Path relative to the unpacked folder. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Offset in the executable, or null for the runtime, which comes at the end. */
  readonly offset: number | null;
  /** Size in the executable, in bytes. The file is zstd-compressed unless this equals `size`. */
  readonly stored: number;
}

/** All program files, in write order. */
export type Manifest = readonly BundleFile[];

/** Name of the manifest in the unpacked folder. */
export const MANIFEST = "manifest.json";
/** Name of the runtime in the unpacked folder. */
export const RUNTIME = "deno";
/**
 * Written last, so a folder without it is incomplete. Locked by every process that runs from the
 * folder.
 */
const READY_MARKER = "ready";

/**
 * Modification time of every unpacked file. If it differs, the file has been written to. Hashing
 * 300 MB on every start would take longer than the start itself.
 */
const UNPACKED_MTIME = new Date("2000-01-01T00:00:00Z");

/** Name prefix for unfinished folders. `mktemp` in the launcher appends the rest. */
const STAGING_NAME = /^new\./;
/** An unfinished folder at least this much older than ours was left by a killed process. */
const MAX_STAGING_AGE_MS = 3_600_000;
const FOLDER_NAME = /^[0-9a-f]{16}$/;

/** Time before the first line and between two lines about progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = { terminal: 100, other: 10_000 } as const;

/**
 * An error that prevents the program from starting. The message is a single line for the terminal.
 */
export class UnpackError extends Error {
  override readonly name = "UnpackError";
}

/** The executable and the target folders, as passed by the launcher. */
export interface Bundle {
  readonly executable: string;
  /** The folder that contains the unpacked folders. */
  readonly unpackRoot: string;
  /** This launcher's folder within `unpackRoot`. Already contains the runtime. */
  readonly staging: string;
  /** Name of the unpacked folder: the first digits of the manifest hash. */
  readonly name: string;
  readonly manifestOffset: number;
  readonly manifestSize: number;
}

/** Returns the folder name for a manifest. */
export function folderName(manifest: Uint8Array): string {
  return createHash("sha256").update(manifest).digest("hex").slice(0, 16);
}

/**
 * Creates the unpacked folder, or repairs an existing one. If several processes start at once, one
 * unpacks and the others wait. Leaves no files behind on failure.
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
      const report = createProgress("Checking", manifest);
      const damaged = manifest.filter((file) => {
        report(file);
        return !verifyFile(folder, file);
      });
      repair(folder, executable, damaged);
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

/**
 * Returns a function to call before the work on each file. Shows how far it is, like
 * kernel/progress.ts. The launcher passes its standard error as standard output, and removes the line
 * from a terminal.
 */
function createProgress(step: string, manifest: Manifest): (file: BundleFile) => void {
  const total = manifest.reduce((sum, { size }) => sum + size, 0);
  const isTerminal = Deno.stdout.isTerminal();
  let [done, shownAt] = [0, performance.now()];
  return ({ size }) => {
    done += size;
    if (performance.now() - shownAt < PROGRESS_INTERVAL_MS[isTerminal ? "terminal" : "other"]) {
      return;
    }
    shownAt = performance.now();
    const line = `${step} the program, ${Math.ceil(done / 1e6)} of ${Math.ceil(total / 1e6)} MB`;
    const text = isTerminal ? `\r${line}` : `commonplace: ${line}\n`;
    Deno.stdout.writeSync(new TextEncoder().encode(text));
  };
}

/** Returns the files whose size or modification time has changed since unpacking. */
export function modifiedFiles(folder: string, manifest: Manifest): BundleFile[] {
  return manifest.filter(({ path, size }) => {
    const stats = statSync(join(folder, path), { throwIfNoEntry: false });
    return stats === undefined || stats.size !== size ||
      stats.mtimeMs !== UNPACKED_MTIME.getTime();
  });
}

/**
 * Compares modified files with their hashes and rewrites the damaged ones. Each file is replaced
 * atomically, so programs running from the folder keep their open files.
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

/** Checks whether a file's content is correct, and if so, resets its modification time. */
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
  const report = createProgress("Unpacking", manifest);
  for (const file of manifest) {
    report(file);
    // The launcher wrote the runtime, and we're running in it.
    if (file.path !== RUNTIME) writeFile(join(folder, file.path), readContent(executable, file));
    else if (!verifyFile(folder, file)) throw damagedExecutable(executable);
  }
  writeFile(join(folder, MANIFEST), manifestBytes);
  writeFile(join(folder, READY_MARKER), new Uint8Array());
  rmSync(join(folder, "unpack.ts"));
  if (!syncFileSystem(folder)) syncEach(folder);
  // Lets other users run what an administrator has unpacked. The folder contains no secrets.
  chmodSync(folder, 0o755);
}

/**
 * Returns a file's content from the executable.
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
    // Only happens if the file is damaged, which the caller reports.
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
 * Syncs all files in one call. We measured a thousand individual syncs to be a hundred times
 * slower.
 */
function syncFileSystem(folder: string): boolean {
  try {
    return new Deno.Command("sync", { args: ["-f", folder] }).outputSync().success;
  } catch (error) {
    // Not installed on every machine, and we may not be allowed to run it.
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
 * Deletes unfinished folders left by killed processes, and other versions no process is running.
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

/** Checks whether a process has locked the folder; see {@linkcode lockFolder}. */
function isInUse(folder: string): boolean {
  if (!existsSync(join(folder, READY_MARKER))) return false;
  const file = Deno.openSync(join(folder, READY_MARKER));
  try {
    return !file.tryLockSync(true);
  } finally {
    file.close();
  }
}

/** Keeps other versions from deleting a folder while this process is alive. */
export function lockFolder(folder: string): void {
  // Don't wait: a process with the exclusive lock is about to either delete the folder or release
  // the lock.
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
