/** The file that a command writes to. It's either complete or not there at all. */

import { existsSync, lstatSync, realpathSync, rmSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { UsageError } from "../command.ts";
import { withCleanup } from "../interruption.ts";
import { readSystemError } from "../system_error.ts";

/** Where to write to. */
export interface OutputFile {
  readonly path: string;
  /** Whether a file at this path is replaced. */
  readonly force: boolean;
}

/**
 * Checks that nothing is lost if the file is written.
 *
 * @throws UsageError if a file exists that must not be replaced, or the path is not that of a file
 */
export function requireWritable({ path, force }: OutputFile): void {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target?.isDirectory()) {
    throw new UsageError(`--output must be a file, but "${path}" is a directory`);
  }
  if (target !== undefined && !target.isFile()) {
    throw new UsageError(`--output: "${path}" is not a regular file; use - for standard output`);
  }
  // The target of a link can be missing.
  if (!force && lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new UsageError(`--output: "${path}" already exists; pass --force to replace it`);
  }
}

/**
 * Checks that the file isn't in the data directory, where it could replace the database.
 *
 * @throws UsageError
 */
export function requireForeign({ path }: OutputFile, dataDirectory: string): void {
  // A new file can be in the way, too, such as a journal of the database.
  const place = existsSync(path) ? path : dirname(path);
  if (!existsSync(place) || !existsSync(dataDirectory)) return;
  const [first] = relative(realpathSync(dataDirectory), realpathSync(place)).split(/[\\/]/);
  // Windows returns the whole path if the file is on another drive.
  if (first === ".." || /^[A-Za-z]:$/.test(first!)) return;
  throw new UsageError(`--output: "${path}" is in the data directory`);
}

/**
 * Writes a file under another name next to it, and renames it once it's complete. Until then, a file
 * that is replaced stays as it is. If a signal ends the process, the unfinished file is deleted.
 *
 * @param write gets a function that appends bytes
 * @throws UsageError with the path if the file can't be written
 */
export async function writeFile<T>(
  output: OutputFile,
  write: (append: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { path } = output;
  // A link stays a link.
  const target = existsSync(path) ? realpathSync(path) : path;
  const partial = `${target}.partial-${crypto.randomUUID().slice(0, 8)}`;
  const remove = () => rmSync(partial, { force: true });
  return await withCleanup(remove, async () => {
    const file = await namingPath(path, open(partial, "wx", 0o600));
    try {
      const written = await write(async (bytes) => {
        for (let at = 0; at < bytes.length;) {
          at += (await namingPath(path, file.write(bytes, at))).bytesWritten;
        }
      });
      await namingPath(path, file.sync());
      // Someone else may have created it by now.
      requireWritable(output);
      await namingPath(path, rename(partial, target));
      return written;
    } finally {
      await file.close();
      remove();
    }
  });
}

/** Names the path in system errors: they name the unfinished file, which users don't know, or none. */
async function namingPath<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { reason } = readSystemError((error as Error).message) ?? {};
    throw reason === undefined ? error : new UsageError(`${path}: ${reason}`);
  }
}
