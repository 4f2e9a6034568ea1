/** Packs a folder into an archive, so that an operation can import it after the folder has changed. */

import { open, readdir, stat } from "node:fs/promises";
import { createReadStream, type Dirent } from "node:fs";
import { join, sep } from "node:path";
import type { Readable } from "node:stream";
import { LIMITS } from "../kernel/limits.ts";
import type { SetAside } from "./model.ts";
import { invalidImport } from "./source_files.ts";

/** The parts of yazl that we use. The package has no types of its own. */
interface ZipWriter {
  addReadStreamLazy(
    name: string,
    options: object,
    open: (done: (error: null, stream: Readable) => void) => void,
  ): void;
  end(): void;
  on(event: "error", listener: (error: Error) => void): void;
  readonly outputStream: Readable;
}

/** A folder to pack. */
export interface Folder {
  /** Files and folders that can't be read. They are left out. */
  readonly unreadable: readonly SetAside[];
  /** Yields a zip archive with the other files, in the order of their names. */
  pack(): AsyncIterable<Uint8Array>;
}

/**
 * Opens a folder. Hidden files and folders are left out, and links aren't followed.
 *
 * @throws {ApiError} INVALID_IMPORT if there are too many files, or too many bytes
 */
export async function openFolder(folder: string): Promise<Folder> {
  const unreadable: SetAside[] = [];
  const paths: string[] = [];
  let bytes = 0;
  for (const path of await listFiles(folder, unreadable)) {
    try {
      bytes += await readableSize(join(folder, path));
      paths.push(path);
    } catch (error) {
      unreadable.push(setAside(path, error));
    }
  }
  if (bytes > LIMITS.importArchiveBytes) {
    throw invalidImport(`The folder has more than ${LIMITS.importArchiveBytes} bytes`);
  }
  return { unreadable, pack: () => packFiles(folder, paths) };
}

async function* packFiles(folder: string, paths: readonly string[]): AsyncGenerator<Uint8Array> {
  const { default: { ZipFile } } = await import("yazl");
  const zip = new ZipFile() as unknown as ZipWriter;
  // A file that can't be read after all ends the stream. Without a listener, it ends the process.
  zip.on("error", (error) => zip.outputStream.destroy(error));
  addFiles(zip, folder, paths).catch((error) => zip.outputStream.destroy(error));
  yield* zip.outputStream;
}

/** Returns a file's size. Throws if it can't be opened for reading. */
async function readableSize(path: string): Promise<number> {
  const file = await open(path);
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Returns the paths of all files that aren't hidden, and adds the folders that can't be read. */
async function listFiles(folder: string, unreadable: SetAside[]): Promise<string[]> {
  const paths: string[] = [];
  const folders = [""];
  for (let path; (path = folders.pop()) !== undefined;) {
    for (const entry of await entriesOf(folder, path, unreadable)) {
      if (entry.name.startsWith(".")) continue;
      if (entry.isFile()) paths.push(join(path, entry.name));
      else if (entry.isDirectory()) folders.push(join(path, entry.name));
    }
    if (paths.length > LIMITS.importArchiveFiles) {
      throw invalidImport(`The folder has more than ${LIMITS.importArchiveFiles} files`);
    }
  }
  return paths.sort();
}

async function entriesOf(folder: string, path: string, unreadable: SetAside[]): Promise<Dirent[]> {
  try {
    return await readdir(join(folder, path), { withFileTypes: true });
  } catch (error) {
    unreadable.push(setAside(path, error));
    return [];
  }
}

function setAside(path: string, error: unknown): SetAside {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "EACCES" || code === "EPERM"
    ? "No permission to read it"
    : `It can't be read: ${code ?? (error as Error).message}`;
  return { kind: "set_aside", where: path === "" ? "." : path, reason };
}

async function addFiles(zip: ZipWriter, folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { mtime } = await stat(join(folder, path));
    const name = path.split(sep).join("/");
    // The file is only opened once the archive gets to it.
    zip.addReadStreamLazy(
      name,
      { mtime },
      (done) => done(null, createReadStream(join(folder, path))),
    );
  }
  zip.end();
}
