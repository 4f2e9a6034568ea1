/** The file that a command writes to. Until it's complete, the old file stays, or there is none. */

import { existsSync, realpathSync, rmSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { blobFolder } from "../../store/blobs/folder.ts";
import { databasePath } from "../../store/sqlite/store.ts";
import { UsageError } from "../command.ts";
import { withCleanup } from "../interruption.ts";
import { readSystemError } from "../system_error.ts";

/** Names of the service's own files and folders in the data directory. */
const OWN_NAMES = new RegExp(
  "^(commonplace\\.db.*|blobs|extraction|transfers|search-copy(-\\d+)?|server\\.json(\\.part)?|" +
    "(index|server|work)\\.lock)$",
  "i",
);

/**
 * Checks that the path is, or can become, that of a file.
 *
 * @throws UsageError
 */
export function requireWritable(path: string): void {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target?.isDirectory()) {
    throw new UsageError(`--output must be a file, but "${path}" is a directory`);
  }
  if (target !== undefined && !target.isFile()) {
    throw new UsageError(`--output: "${path}" is not a regular file; use - for standard output`);
  }
}

/**
 * Checks that the service keeps nothing at this path, such as its database or a journal of it.
 *
 * @throws UsageError
 */
export function requireForeign(path: string, dataDirectory: string): void {
  const folder = dirname(path);
  if (!existsSync(folder) || !existsSync(dataDirectory)) return;
  const data = realpathSync(dataDirectory);
  const named = join(realpathSync(folder), basename(path));
  const isOwn = (target: string) =>
    OWN_NAMES.test(relative(data, target).split(/[\\/]/)[0]!) ||
    // The database and the folder can be links. SQLite keeps its journals next to the linked file.
    target.startsWith(resolveLink(databasePath(data))) ||
    target.startsWith(resolveLink(blobFolder(data)) + sep);
  if (isOwn(named) || isOwn(resolveLink(path))) {
    throw new UsageError(
      `--output: "${path}" is where the service keeps its own files; choose another path`,
    );
  }
}

/** Returns the path that a link leads to, or the same path if nothing is there. */
function resolveLink(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * Writes a file under another name next to it, and renames it once it's complete. Until then, a file
 * that is replaced stays as it is. If a signal ends the process, the unfinished file is deleted.
 *
 * @param write gets a function that appends bytes
 * @throws UsageError with the path if the file can't be written
 */
export async function writeFile<T>(
  path: string,
  write: (append: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  // A link stays a link.
  const target = resolveLink(path);
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
  const partial = `${target}.partial-${crypto.randomUUID().slice(0, 8)}`;
  const remove = () => rmSync(partial, { force: true });
  return await withCleanup(remove, async () => {
    const file = await namingPath(path, open(partial, "wx", mode));
    try {
      const written = await write(async (bytes) => {
        for (let at = 0; at < bytes.length;) {
          at += (await namingPath(path, file.write(bytes, at))).bytesWritten;
        }
      });
      await namingPath(path, file.sync());
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
