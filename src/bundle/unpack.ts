/**
 * Unpacks the single executable, and mends what was unpacked. It runs from the executable before
 * anything else of the program is there, so it imports nothing of ours.
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

/** A file of the program inside the executable. */
export interface BundleFile {
  /** Below the unpacked folder. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Where it begins in the executable; the runtime has none, since it is the executable's end. */
  readonly offset: number | null;
  /** Bytes that it takes there, compressed with zstd; those of `size` lie there as they are. */
  readonly stored: number;
}

/** Every file of the program, in the order in which they are written. */
export type Manifest = readonly BundleFile[];

/** The list of files, in the unpacked folder. */
export const MANIFEST = "manifest.json";
/** The runtime, in the unpacked folder. */
export const RUNTIME = "deno";
/** Written last; a folder without it isn't whole. Whoever runs the folder holds a lock on it. */
const READY_MARKER = "ready";

/**
 * Every unpacked file has this time, so that a look at it tells whether anybody wrote to it since:
 * hashing 300 MB at each start would take longer than the start.
 */
const UNPACKED_MTIME = new Date("2000-01-01T00:00:00Z");

/** Unfinished folders carry this name; `mktemp` in the launcher fills in the rest. */
const STAGING_NAME = /^new\./;
/** An unfinished folder this much older than ours belongs to a process that was killed. */
const MAX_STAGING_AGE_MS = 3_600_000;
const FOLDER_NAME = /^[0-9a-f]{16}$/;

/** Why there is no program to run; the message is one line for the person at the terminal. */
export class UnpackError extends Error {
  override readonly name = "UnpackError";
}

/** What the launcher knows of the executable. */
export interface Bundle {
  readonly executable: string;
  /** Where folders are unpacked. */
  readonly unpackRoot: string;
  /** The launcher's own folder there, which holds the runtime already. */
  readonly staging: string;
  /** The name of the unpacked folder: the beginning of the manifest's hash. */
  readonly name: string;
  readonly manifestOffset: number;
  readonly manifestSize: number;
}

/** The name of the folder that a manifest is unpacked into. */
export function folderName(manifest: Uint8Array): string {
  return createHash("sha256").update(manifest).digest("hex").slice(0, 16);
}

/**
 * Makes the unpacked folder, or mends the one that is there. Of several processes one unpacks, and
 * the others wait for it. What fails leaves nothing behind.
 *
 * @throws UnpackError when the executable is damaged
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

/** The files of a folder that are not as they were unpacked, by their sizes and times. */
export function modifiedFiles(folder: string, manifest: Manifest): BundleFile[] {
  return manifest.filter(({ path, size }) => {
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    return found === undefined || found.size !== size ||
      found.mtimeMs !== UNPACKED_MTIME.getTime();
  });
}

/**
 * Checks touched files against their hashes, and rewrites those that are wrong. Each is replaced in
 * one step, so that a program that runs from the folder goes on with what it has.
 *
 * @returns the paths that were wrong
 */
export function repairModified(
  folder: string,
  executable: string,
  modified: readonly BundleFile[],
): string[] {
  const lock = Deno.openSync(join(dirname(folder), "lock"), { create: true, write: true });
  lock.lockSync(true);
  try {
    const wrong = modified.filter((file) => !verifyFile(folder, file));
    repair(folder, executable, wrong);
    return wrong.map(({ path }) => path);
  } finally {
    lock.close();
  }
}

function repair(folder: string, executable: string, files: readonly BundleFile[]): void {
  for (const file of files) replaceFile(folder, file.path, readContent(executable, file));
}

/** Whether a file's content is right; the time of one that is gets put right as well. */
function verifyFile(folder: string, { path, size, sha256 }: BundleFile): boolean {
  const target = join(folder, path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined || found.size !== size) return false;
  if (hashOf(readFileSync(target)) !== sha256) return false;
  if (found.mtimeMs !== UNPACKED_MTIME.getTime()) {
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
    // The launcher wrote the runtime, and it is what runs here.
    if (file.path !== RUNTIME) writeFile(join(folder, file.path), readContent(executable, file));
    else if (!verifyFile(folder, file)) throw damagedExecutable(executable);
  }
  writeFile(join(folder, MANIFEST), manifestBytes);
  writeFile(join(folder, READY_MARKER), new Uint8Array());
  rmSync(join(folder, "unpack.ts"));
  if (!syncFileSystem(folder)) syncEach(folder);
  // Others may use what the system's administrator has unpacked; there are no secrets in it.
  chmodSync(folder, 0o755);
}

/** The bytes of a file, out of the executable. @throws UnpackError unless they are right */
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
    // Its only cause is damage, and the caller says so.
    return null;
  }
}

function damagedExecutable(executable: string): UnpackError {
  return new UnpackError(`${executable} is damaged; get it anew`);
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

/** Replaces a file in one step. */
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

/** One call for all files; a thousand of their own took a hundred times as long (measured). */
function syncFileSystem(folder: string): boolean {
  try {
    return new Deno.Command("sync", { args: ["-f", folder] }).outputSync().success;
  } catch (error) {
    // Not every machine has the program, or lets it be run.
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) {
      return false;
    }
    throw error;
  }
}

function syncEach(folder: string): void {
  const below = readdirSync(folder, { withFileTypes: true, recursive: true });
  for (const entry of below) syncPath(join(entry.parentPath, entry.name));
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

/** What killed processes left unfinished, and other versions that nobody runs. */
function removeLeftovers(unpackRoot: string, staging: string, name: string): void {
  const now = statSync(staging).mtimeMs;
  for (const entry of readdirSync(unpackRoot)) {
    const path = join(unpackRoot, entry);
    const abandoned = STAGING_NAME.test(entry) && now - statSync(path).mtimeMs > MAX_STAGING_AGE_MS;
    const outdated = FOLDER_NAME.test(entry) && entry !== name && !isInUse(path);
    if (abandoned || outdated) rmSync(path, { recursive: true, force: true });
  }
}

/** Whether a process holds its lock on the folder, see `holdFolder`. */
function isInUse(folder: string): boolean {
  if (!existsSync(join(folder, READY_MARKER))) return false;
  const file = Deno.openSync(join(folder, READY_MARKER));
  try {
    return !file.tryLockSync(true);
  } finally {
    file.close();
  }
}

/** Keeps a folder from being removed by another version, for as long as this process lives. */
export function lockFolder(folder: string): void {
  // Not waited for: whoever holds it exclusively is about to remove the folder, or to let go.
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
