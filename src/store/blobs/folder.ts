/** Files in a folder: that of a data directory, or one that several processes share. */

import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Random } from "../../kernel/ids.ts";
import { translateDiskErrors } from "../disk_error.ts";
import { listEntriesIfExists, syncFolder } from "../folders.ts";
import { blobKey, type BlobWriter, isBlobName, type LocalFile } from "./blobs.ts";
import { FileBlobWriter } from "./file_writer.ts";
import { BlobStoreError, IS_FROM_SHARED_STORE, missingFile, type Records } from "./mark.ts";
import { ReferencedBlobs, tryRemoval } from "./referenced_blobs.ts";

/** Folder for files still being written. */
const UNFINISHED_FOLDER = "unfinished";

/** Read buffer size of a stream, in bytes. */
const READ_BUFFER_BYTES = 64 * 1024;

/** Returns a data directory's folder for files. */
export function blobFolder(dataDirectory: string): string {
  return join(dataDirectory, "blobs");
}

/**
 * Returns the path of a file, whether or not it exists.
 *
 * @throws Error if `name` isn't the name of a file
 */
export function blobPath(folder: string, name: string): string {
  return join(folder, blobKey(name));
}

/**
 * The files in a data directory. Each put has a name of its own, so no other process, e.g. a command,
 * can delete what this one is about to reference.
 */
export class FolderBlobs extends ReferencedBlobs {
  readonly directory: string;
  readonly #random: Random;

  /** @param directory folder for the files, created along with the first one */
  constructor(directory: string, random: Random) {
    super();
    this.directory = directory;
    this.#random = random;
  }

  /** Returns the path of a file, whether or not it exists. */
  path(name: string): string {
    return blobPath(this.directory, name);
  }

  async claim(records: Records | undefined): Promise<void> {
    // Other missing files are for `doctor` to report.
    const missing = records && await missingFile(this, records, IS_FROM_SHARED_STORE);
    if (missing === undefined) return;
    throw new BlobStoreError(
      `"${this.directory}" doesn't have the files of the database, e.g. ${missing}; ` +
        "set COMMONPLACE_BLOB_URL to where they are",
    );
  }

  async writer(name?: string): Promise<BlobWriter> {
    const unfinished = join(this.directory, UNFINISHED_FOLDER);
    const path = join(unfinished, `${Deno.pid}-${this.nonce()}`);
    const file = await translateDiskErrors(async () => {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      return await open(path, "wx", 0o600);
    });
    return new FileBlobWriter(file, path, {
      name: (sha256) => name ?? this.nameOf(sha256),
      pin: (name) => this.pin(name),
      store: (path, name) => moveDurably(path, this.path(name)),
      isSynced: true,
    });
  }

  async read(name: string): Promise<Uint8Array> {
    return new Uint8Array(await readFile(this.path(name)));
  }

  stream(name: string, start = 0): ReadableStream<Uint8Array> {
    return streamFile(this.path(name), start);
  }

  async size(name: string): Promise<number | null> {
    return (await statOrNull(this.path(name)))?.size ?? null;
  }

  async has(name: string): Promise<boolean> {
    return await statOrNull(this.path(name)) !== null;
  }

  async local(name: string): Promise<LocalFile> {
    const path = resolve(this.path(name));
    await stat(path);
    return { path, release: () => Promise.resolve() };
  }

  /** Returns the name for new content. */
  protected nameOf(sha256: string): string {
    return `${sha256}.${this.nonce()}`;
  }

  /** Returns a number that no other call returns, as text. */
  protected nonce(): string {
    return createNonce(this.#random);
  }

  protected async *pages(): AsyncGenerator<readonly string[]> {
    for (const folder of (await listEntriesIfExists(this.directory)).sort()) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      yield (await readdir(join(this.directory, folder))).filter(isBlobName).sort();
    }
  }

  protected async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
  }

  protected removeIfOlder(name: string, before: number): Promise<boolean> {
    return rmIfOlder(this.path(name), before);
  }

  protected async removeUnfinished(before: number, failures: unknown[]): Promise<number> {
    const unfinished = join(this.directory, UNFINISHED_FOLDER);
    let deleted = 0;
    for (const name of await listEntriesIfExists(unfinished)) {
      const path = join(unfinished, name);
      if (await tryRemoval(() => rmIfOlder(path, before), failures)) deleted++;
    }
    return deleted;
  }
}

/** Returns a text that no other call returns, in any process. */
export function createNonce(random: Random): string {
  // A number of the source has 32 bits.
  return [random(), random()].map((part) => Math.floor(part * 2 ** 32).toString(36)).join("");
}

async function moveDurably(from: string, to: string): Promise<void> {
  const shard = dirname(to);
  await mkdir(shard, { recursive: true, mode: 0o700 });
  // Only `copy` writes a name again, and then the content is the same.
  await rename(from, to);
  // A rename is only durable once the folder is synced, and a new folder only once its parent is.
  for (const folder of [shard, dirname(shard), dirname(dirname(shard))]) await syncFolder(folder);
}

/**
 * Returns a file as a stream that reads chunks on demand. We don't use `Readable.toWeb`: when a
 * client disconnected mid-stream, it threw outside of any handler and took down the server (Deno
 * 2.9.6).
 */
function streamFile(path: string, start: number): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let offset = start;
  const close = async () => await file?.close();
  return new ReadableStream({
    async pull(controller) {
      try {
        file ??= await open(path, "r");
        const chunk = new Uint8Array(READ_BUFFER_BYTES);
        const { bytesRead } = await file.read(chunk, 0, READ_BUFFER_BYTES, offset);
        offset += bytesRead;
        if (bytesRead > 0) return controller.enqueue(chunk.subarray(0, bytesRead));
        await close();
        controller.close();
      } catch (error) {
        await close();
        throw error;
      }
    },
    cancel: close,
  }, { highWaterMark: 0 });
}

/** Deletes a file if it's older than `before`. Returns whether it was. */
async function rmIfOlder(path: string, before: number): Promise<boolean> {
  const stats = await statOrNull(path);
  if (stats === null || stats.mtimeMs >= before) return false;
  await rm(path, { force: true });
  return true;
}

async function statOrNull(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
