/** Packs a folder into an archive, so that an operation can import it after the folder has changed. */

import { readdir, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { LIMITS } from "../kernel/limits.ts";
import { invalidImport } from "./source_files.ts";

/** The parts of yazl that we use. The package has no types of its own. */
interface Yazl {
  readonly default: { readonly ZipFile: new () => ZipWriter };
}

interface ZipWriter {
  addReadStreamLazy(
    name: string,
    options: object,
    open: (done: (error: null, stream: Readable) => void) => void,
  ): void;
  end(): void;
  readonly outputStream: AsyncIterable<Uint8Array>;
}

/**
 * Returns a zip archive with a folder's files, in the order of their names. Hidden files and folders
 * are left out, and links aren't followed.
 *
 * @throws {ApiError} INVALID_IMPORT if there are too many files
 */
export async function* packFolder(folder: string): AsyncGenerator<Uint8Array> {
  const paths = await listFiles(folder);
  const { default: { ZipFile } }: Yazl = await import("yazl");
  const zip = new ZipFile();
  const adding = addFiles(zip, folder, paths);
  yield* zip.outputStream;
  await adding;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split(sep).some((part) => part.startsWith(".")))
    .sort();
  if (paths.length > LIMITS.importArchiveFiles) {
    throw invalidImport(`The folder has more than ${LIMITS.importArchiveFiles} files`);
  }
  return paths;
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
