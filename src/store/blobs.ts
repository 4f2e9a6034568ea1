/**
 * Stores files next to the database: uploads, artifacts, large results. Files are named after the
 * SHA-256 of their content. A file is complete and on disk before any row references it, and
 * deleted once none does.
 */

import { createHash } from "node:crypto";
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
import { dirname, join } from "node:path";
import sql, { join as joinSql } from "sql-template-tag";
import type { Random } from "../kernel/ids.ts";
import { isDiskError, isStorageUnavailable, translateDiskErrors } from "./disk_error.ts";
import { listEntriesIfExists, syncFolder } from "./folders.ts";
import type { Store, Tx } from "./store.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Folder for files still being written. */
const UNFINISHED_FOLDER = "unfinished";

/** Size of a write, in bytes. The last one can be smaller. */
const WRITE_BYTES = 256 * 1024;

/** Read buffer size of a stream, in bytes. */
const READ_BUFFER_BYTES = 64 * 1024;

/** A file on disk, pinned until `release` is called. */
export interface StoredBlob {
  /** SHA-256 of the content, as 64 lowercase hex digits. */
  readonly hash: string;
  readonly size: number;
  /**
   * Unpins the file, so it's only kept while a row references it. Call this once there is a row, or
   * if the file isn't needed.
   */
  release(): void;
}

/** A file still being written. */
export interface BlobWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes written so far. */
  readonly size: number;
  /** Syncs the file and renames it to its hash. */
  finish(): Promise<StoredBlob>;
  /** Deletes an unfinished file. No-op after `finish`. */
  discard(): Promise<void>;
}

/** Returns a data directory's folder for files. */
export function blobFolder(dataDirectory: string): string {
  return join(dataDirectory, "blobs");
}

/**
 * Returns the path for a hash, whether or not the file exists.
 *
 * @throws Error if `hash` isn't a SHA-256 digest
 */
export function blobPath(folder: string, hash: string): string {
  if (!HASH.test(hash)) throw new Error(`"${hash}" is not a SHA-256 digest`);
  return join(folder, hash.slice(0, 2), hash);
}

/** The files in one data directory. */
export class Blobs {
  readonly directory: string;
  readonly #random: Random;
  readonly #pins = new Map<string, number>();

  /** @param directory folder for the files, created along with the first one */
  constructor(directory: string, random: Random) {
    this.directory = directory;
    this.#random = random;
  }

  /** Returns the path for a hash, whether or not the file exists. */
  path(hash: string): string {
    return blobPath(this.directory, hash);
  }

  /**
   * Opens a new file for writing. The content can be of any length, since it isn't buffered in
   * memory.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if the disk is full, fails or is read-only
   */
  async writer(): Promise<BlobWriter> {
    const name = Math.floor(this.#random() * 2 ** 48).toString(36);
    const path = join(this.directory, UNFINISHED_FOLDER, `${Deno.pid}-${name}`);
    const file = await translateDiskErrors(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await open(path, "wx", 0o600);
    });
    return new FileBlobWriter(file, path, (hash) => this.path(hash), (hash) => this.#pin(hash));
  }

  /** Writes a file and returns it. */
  async put(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob> {
    const writer = await this.writer();
    try {
      for await (const bytes of content) await writer.write(bytes);
      return await writer.finish();
    } finally {
      await writer.discard();
    }
  }

  /**
   * Returns a file's content.
   *
   * @throws if the file doesn't exist
   */
  async read(hash: string): Promise<Uint8Array> {
    return new Uint8Array(await readFile(this.path(hash)));
  }

  /** Returns a file's content as a stream, starting at byte `start`. */
  stream(hash: string, start = 0): ReadableStream<Uint8Array> {
    return streamFile(this.path(hash), start);
  }

  /** Returns a file's size in bytes, or null if it doesn't exist. */
  async size(hash: string): Promise<number | null> {
    return (await statOrNull(this.path(hash)))?.size ?? null;
  }

  /**
   * Deletes those of the given files no longer referenced by any row. Call this after the commit.
   */
  async deleteUnreferenced(store: Store, hashes: readonly string[]): Promise<void> {
    const referenced = await referencedHashes(store, hashes);
    for (const hash of hashes) {
      if (!referenced.has(hash) && !this.#pins.has(hash)) {
        await rm(this.path(hash), { force: true });
      }
    }
  }

  /** Deletes a single file unless a row references it. If the disk fails to, a later sweep will. */
  async deleteIfUnreferenced(store: Store, hash: string): Promise<void> {
    try {
      await this.deleteUnreferenced(store, [hash]);
    } catch (error) {
      if (!isStorageUnavailable(error)) throw error;
    }
  }

  /**
   * Deletes unreferenced and unfinished files older than `before`.
   *
   * @param before milliseconds since the Unix epoch
   * @returns how many files were deleted
   */
  async sweep(store: Store, before: number): Promise<number> {
    let deleted = 0;
    for await (const hashes of this.#hashesByFolder()) {
      const referenced = await referencedHashes(store, hashes);
      for (const hash of hashes) {
        if (referenced.has(hash) || this.#pins.has(hash)) continue;
        deleted += await removeIfOlder(this.path(hash), before);
      }
    }
    const unfinished = join(this.directory, UNFINISHED_FOLDER);
    for (const name of await listEntriesIfExists(unfinished)) {
      deleted += await removeIfOlder(join(unfinished, name), before);
    }
    return deleted;
  }

  /** Yields the hashes of all files. */
  async *hashes(): AsyncGenerator<string> {
    for await (const hashes of this.#hashesByFolder()) yield* hashes;
  }

  async *#hashesByFolder(): AsyncGenerator<string[]> {
    for (const folder of (await listEntriesIfExists(this.directory)).sort()) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      yield (await readdir(join(this.directory, folder))).filter((name) => HASH.test(name)).sort();
    }
  }

  #pin(hash: string): () => void {
    this.#pins.set(hash, (this.#pins.get(hash) ?? 0) + 1);
    let pinned = true;
    return () => {
      const count = this.#pins.get(hash) ?? 0;
      if (pinned && count <= 1) this.#pins.delete(hash);
      else if (pinned) this.#pins.set(hash, count - 1);
      pinned = false;
    };
  }
}

class FileBlobWriter implements BlobWriter {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #target: (hash: string) => string;
  readonly #pin: (hash: string) => () => void;
  readonly #digest = createHash("sha256");
  readonly #buffer = new Uint8Array(WRITE_BYTES);
  #buffered = 0;
  #open = true;
  #finished = false;
  size = 0;

  constructor(
    file: FileHandle,
    path: string,
    target: (hash: string) => string,
    pin: (hash: string) => () => void,
  ) {
    this.#file = file;
    this.#path = path;
    this.#target = target;
    this.#pin = pin;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#digest.update(bytes);
    this.size += bytes.length;
    for (let start = 0; start < bytes.length;) {
      const piece = bytes.subarray(start, start + this.#buffer.length - this.#buffered);
      this.#buffer.set(piece, this.#buffered);
      this.#buffered += piece.length;
      start += piece.length;
      if (this.#buffered === this.#buffer.length) await this.#flush();
    }
  }

  async finish(): Promise<StoredBlob> {
    await this.#flush();
    const hash = this.#digest.digest("hex");
    const release = this.#pin(hash);
    try {
      await translateDiskErrors(() => this.#moveTo(this.#target(hash)));
    } catch (error) {
      release();
      throw error;
    }
    return { hash, size: this.size, release };
  }

  async #moveTo(target: string): Promise<void> {
    await this.#file.sync();
    await this.#close();
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Replace an existing file even though its content is the same: the new one is recent, so no
    // sweep will delete it.
    await rename(this.#path, target);
    // A rename is only durable once the folder is synced, and a new folder only once its parent is.
    const shard = dirname(target);
    for (const folder of [shard, dirname(shard), dirname(dirname(shard))]) await syncFolder(folder);
    this.#finished = true;
  }

  async discard(): Promise<void> {
    await this.#close();
    if (this.#finished) return;
    await rm(this.#path, { force: true }).catch((error: unknown) => {
      // A later sweep will delete the file. We ignore this error, since the caller needs to see the
      // one that led to `discard`.
      if (!isDiskError(error)) throw error;
    });
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    let written = 0;
    await translateDiskErrors(async () => {
      while (written < bytes.length) {
        written += (await this.#file.write(bytes, written)).bytesWritten;
      }
    });
  }

  async #close(): Promise<void> {
    if (this.#open) await this.#file.close();
    this.#open = false;
  }
}

/**
 * Records that a row references a file. Call this in the same unit of work that creates the row.
 */
export async function linkBlob(
  tx: Tx,
  project: number,
  owner: string,
  blob: Pick<StoredBlob, "hash" | "size">,
): Promise<void> {
  await tx.run(sql`insert into blob_names (project, owner, hash, size)
    values (${project}, ${owner}, ${blob.hash}, ${blob.size}) on conflict do nothing`);
}

/**
 * Removes a deleted row's references. Returns the hashes of its files; pass these to {@linkcode
 * Blobs.deleteUnreferenced} after the commit.
 */
export async function unlinkBlobs(tx: Tx, project: number, owner: string): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>(sql`delete from blob_names
    where project = ${project} and owner = ${owner} returning hash`);
  return rows.map((row) => row.hash);
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

async function referencedHashes(
  store: Store,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const referenced = new Set<string>();
  for (let start = 0; start < hashes.length; start += 500) {
    const batch = hashes.slice(start, start + 500);
    const rows = await store.read((db) =>
      db.all<{ hash: string }>(
        sql`select distinct hash from blob_names where hash in (${joinSql([...batch])})`,
      )
    );
    for (const row of rows) referenced.add(row.hash);
  }
  return referenced;
}

async function removeIfOlder(path: string, before: number): Promise<number> {
  const stats = await statOrNull(path);
  if (stats === null || stats.mtimeMs >= before) return 0;
  await rm(path, { force: true });
  return 1;
}

async function statOrNull(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
