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
export interface PackedFile {
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
export type Manifest = readonly PackedFile[];

/** The list of files, in the unpacked folder. */
export const MANIFEST = "manifest.json";
/** The runtime, in the unpacked folder. */
export const RUNTIME = "deno";
/** Written last; a folder without it isn't whole. Whoever runs the folder holds a lock on it. */
const READY = "ready";

/**
 * Every unpacked file has this time, so that a look at it tells whether anybody wrote to it since:
 * hashing 300 MB at each start would take longer than the start.
 */
const UNPACKED_AT = new Date("2000-01-01T00:00:00Z");

/** Unfinished folders carry this name; `mktemp` in the launcher fills in the rest. */
const UNFINISHED = /^new\./;
/** An unfinished folder this much older than ours belongs to a process that was killed. */
const ABANDONED_MS = 3_600_000;
const FOLDER_NAME = /^[0-9a-f]{16}$/;

/** Why there is no program to run; the message is one line for the person at the terminal. */
export class UnpackError extends Error {
  override readonly name = "UnpackError";
}

/** What the launcher knows of the executable. */
export interface Packed {
  readonly executable: string;
  /** Where folders are unpacked. */
  readonly place: string;
  /** The launcher's own folder there, which holds the runtime already. */
  readonly fresh: string;
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
export function unpack(packed: Packed): void {
  const { executable, place, fresh, name } = packed;
  const lock = Deno.openSync(join(place, "lock"), { create: true, write: true });
  lock.lockSync(true);
  try {
    removeLeftovers(place, fresh, name);
    const bytes = readAt(executable, packed.manifestOffset, packed.manifestSize);
    if (folderName(bytes) !== name) throw damagedExecutable(executable);
    const manifest: Manifest = JSON.parse(new TextDecoder().decode(bytes));
    const folder = join(place, name);
    if (existsSync(folder)) {
      writeWhole(folder, MANIFEST, bytes);
      mend(folder, executable, manifest.filter((file) => !isRight(folder, file)));
      writeWhole(folder, READY, new Uint8Array());
    } else {
      writeFolder(fresh, executable, manifest, bytes);
      renameSync(fresh, folder);
      sync(place);
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    lock.close();
  }
}

/** The files of a folder that are not as they were unpacked, by their sizes and times. */
export function touchedFiles(folder: string, manifest: Manifest): PackedFile[] {
  return manifest.filter(({ path, size }) => {
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    return found === undefined || found.size !== size ||
      found.mtimeMs !== UNPACKED_AT.getTime();
  });
}

/**
 * Checks touched files against their hashes, and rewrites those that are wrong. Each is replaced in
 * one step, so that a program that runs from the folder goes on with what it has.
 *
 * @returns the paths that were wrong
 */
export function mendTouched(
  folder: string,
  executable: string,
  touched: readonly PackedFile[],
): string[] {
  const lock = Deno.openSync(join(dirname(folder), "lock"), { create: true, write: true });
  lock.lockSync(true);
  try {
    const wrong = touched.filter((file) => !isRight(folder, file));
    mend(folder, executable, wrong);
    return wrong.map(({ path }) => path);
  } finally {
    lock.close();
  }
}

function mend(folder: string, executable: string, files: readonly PackedFile[]): void {
  for (const file of files) writeWhole(folder, file.path, contentOf(executable, file));
}

/** Whether a file's content is right; the time of one that is gets put right as well. */
function isRight(folder: string, { path, size, sha256 }: PackedFile): boolean {
  const target = join(folder, path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined || found.size !== size) return false;
  if (hashOf(readFileSync(target)) !== sha256) return false;
  if (found.mtimeMs !== UNPACKED_AT.getTime()) utimesSync(target, UNPACKED_AT, UNPACKED_AT);
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
    if (file.path !== RUNTIME) writeFile(join(folder, file.path), contentOf(executable, file));
    else if (!isRight(folder, file)) throw damagedExecutable(executable);
  }
  writeFile(join(folder, MANIFEST), manifestBytes);
  writeFile(join(folder, READY), new Uint8Array());
  rmSync(join(folder, "unpack.ts"));
  if (!syncFileSystem(folder)) syncEach(folder);
  // Others may use what the system's administrator has unpacked; there are no secrets in it.
  chmodSync(folder, 0o755);
}

/** The bytes of a file, out of the executable. @throws UnpackError unless they are right */
function contentOf(executable: string, file: PackedFile): Uint8Array {
  const offset = file.offset ?? statSync(executable).size - file.size;
  const stored = readAt(executable, offset, file.stored);
  const content = file.stored === file.size ? stored : expand(stored);
  if (content === null || hashOf(content) !== file.sha256) throw damagedExecutable(executable);
  return content;
}

function expand(stored: Uint8Array): Uint8Array | null {
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
function writeWhole(folder: string, path: string, content: Uint8Array): void {
  const target = join(folder, path);
  const partial = `${target}.new`;
  try {
    writeFile(partial, content);
    if (path === RUNTIME) chmodSync(partial, 0o755);
    sync(partial);
    renameSync(partial, target);
  } finally {
    rmSync(partial, { force: true });
  }
  sync(dirname(target));
}

function writeFile(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(path, "w");
  try {
    for (let done = 0; done < content.length;) done += writeSync(handle, content, done);
  } finally {
    closeSync(handle);
  }
  utimesSync(path, UNPACKED_AT, UNPACKED_AT);
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
  for (const entry of below) sync(join(entry.parentPath, entry.name));
  sync(folder);
}

function sync(path: string): void {
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
function removeLeftovers(place: string, fresh: string, name: string): void {
  const now = statSync(fresh).mtimeMs;
  for (const entry of readdirSync(place)) {
    const path = join(place, entry);
    const abandoned = UNFINISHED.test(entry) && now - statSync(path).mtimeMs > ABANDONED_MS;
    const outdated = FOLDER_NAME.test(entry) && entry !== name && !isRunning(path);
    if (abandoned || outdated) rmSync(path, { recursive: true, force: true });
  }
}

/** Whether a process holds its lock on the folder, see `holdFolder`. */
function isRunning(folder: string): boolean {
  if (!existsSync(join(folder, READY))) return false;
  const file = Deno.openSync(join(folder, READY));
  try {
    return !file.tryLockSync(true);
  } finally {
    file.close();
  }
}

/** Keeps a folder from being removed by another version, for as long as this process lives. */
export function holdFolder(folder: string): void {
  // Not waited for: whoever holds it exclusively is about to remove the folder, or to let go.
  Deno.openSync(join(folder, READY)).tryLockSync(false);
}

if (import.meta.main) {
  const [executable, place, fresh, name, manifestOffset, manifestSize] = Deno.args as [
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
      place,
      fresh,
      name,
      manifestOffset: Number(manifestOffset),
      manifestSize: Number(manifestSize),
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
