/**
 * Files beside the database: uploads, artifacts, large results. A file is named by the SHA-256 of
 * its content, complete and on disk before any row names it, and removed when none does any more.
 */

import { Buffer } from "node:buffer";
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

/** The folder of files that are being written. */
const UNFINISHED_FOLDER = "unfinished";

/** Written in pieces of at least this many bytes. */
const MIN_WRITE_BYTES = 256 * 1024;

/** Bytes that are read at once for a client. */
const READ_BUFFER_BYTES = 64 * 1024;

/** A file that is on disk. It can't be swept away until `release` is called. */
export interface StoredBlob {
  /** SHA-256 of the content, 64 lower-case hex digits. */
  readonly hash: string;
  readonly size: number;
  /** To be called once a row names the file, or nobody needs it: from then on only rows keep it. */
  release(): void;
}

/** A file that is being written. */
export interface BlobWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes written so far. */
  readonly size: number;
  /** Makes the file durable under the name of its content. */
  finish(): Promise<StoredBlob>;
  /** Removes what was written; harmless after `finish`. */
  discard(): Promise<void>;
}

/** The folder in which a data directory has its files. */
export function blobFolder(dataDirectory: string): string {
  return join(dataDirectory, "blobs");
}

/** Where such a folder has the file of a hash, or would have it. */
export function blobPath(folder: string, hash: string): string {
  if (!HASH.test(hash)) throw new Error(`"${hash}" is no SHA-256`);
  return join(folder, hash.slice(0, 2), hash);
}

/** The files of one data directory. */
export class Blobs {
  readonly directory: string;
  readonly #random: Random;
  readonly #pins = new Map<string, number>();

  /** @param directory the folder of the files; made with the first of them */
  constructor(directory: string, random: Random) {
    this.directory = directory;
    this.#random = random;
  }

  /** Where the file of a hash is, or would be. */
  path(hash: string): string {
    return blobPath(this.directory, hash);
  }

  /** Begins a file. Content of any length passes through; nothing is kept in memory. */
  async writer(): Promise<BlobWriter> {
    const name = Math.floor(this.#random() * 2 ** 48).toString(36);
    const path = join(this.directory, UNFINISHED_FOLDER, `${Deno.pid}-${name}`);
    const file = await translateDiskErrors(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await open(path, "wx", 0o600);
    });
    return new FileBlobWriter(file, path, (hash) => this.path(hash), (hash) => this.#pin(hash));
  }

  /** Writes a whole file. */
  async put(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob> {
    const writer = await this.writer();
    try {
      for await (const bytes of content) await writer.write(bytes);
      return await writer.finish();
    } finally {
      await writer.discard();
    }
  }

  /** A whole file. Throws when it isn't there. */
  async read(hash: string): Promise<Uint8Array> {
    return new Uint8Array(await readFile(this.path(hash)));
  }

  /** A file piece by piece, from a byte on. */
  stream(hash: string, start = 0): ReadableStream<Uint8Array> {
    return streamFile(this.path(hash), start);
  }

  /** The length of a file in bytes; null when it isn't there. */
  async size(hash: string): Promise<number | null> {
    return (await statOrNull(this.path(hash)))?.size ?? null;
  }

  /** Removes those files that no row names any more. Call it after the commit. */
  async deleteUnreferenced(store: Store, hashes: readonly string[]): Promise<void> {
    const named = await referencedHashes(store, hashes);
    for (const hash of hashes) {
      if (!named.has(hash) && !this.#pins.has(hash)) await rm(this.path(hash), { force: true });
    }
  }

  /** The same for one file; if the disk refuses to remove it, it is swept later. */
  async deleteIfUnreferenced(store: Store, hash: string): Promise<void> {
    try {
      await this.deleteUnreferenced(store, [hash]);
    } catch (error) {
      if (!isStorageUnavailable(error)) throw error;
    }
  }

  /**
   * Removes what no row names and what was never finished, if it is older than `before`
   * (milliseconds since the epoch); answers how many files that were.
   */
  async sweep(store: Store, before: number): Promise<number> {
    let swept = 0;
    for await (const hashes of this.#hashesByFolder()) {
      const named = await referencedHashes(store, hashes);
      for (const hash of hashes) {
        if (named.has(hash) || this.#pins.has(hash)) continue;
        swept += await removeIfOlder(this.path(hash), before);
      }
    }
    const unfinished = join(this.directory, UNFINISHED_FOLDER);
    for (const name of await listEntriesIfExists(unfinished)) {
      swept += await removeIfOlder(join(unfinished, name), before);
    }
    return swept;
  }

  /** Every hash of which there is a file. */
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
    let holds = true;
    return () => {
      const count = this.#pins.get(hash) ?? 0;
      if (holds && count <= 1) this.#pins.delete(hash);
      else if (holds) this.#pins.set(hash, count - 1);
      holds = false;
    };
  }
}

class FileBlobWriter implements BlobWriter {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #target: (hash: string) => string;
  readonly #pin: (hash: string) => () => void;
  readonly #digest = createHash("sha256");
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
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
    this.#buffered.push(bytes);
    this.#bufferedBytes += bytes.length;
    this.size += bytes.length;
    if (this.#bufferedBytes >= MIN_WRITE_BYTES) await this.#flush();
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
    // Over a file of the same content too: the newer one is young, and no sweep takes it.
    await rename(this.#path, target);
    // A rename is durable only once its folder is, and a folder only once the one above it is.
    const shelf = dirname(target);
    for (const folder of [shelf, dirname(shelf), dirname(dirname(shelf))]) await syncFolder(folder);
    this.#finished = true;
  }

  async discard(): Promise<void> {
    await this.#close();
    if (this.#finished) return;
    await rm(this.#path, { force: true }).catch((error: unknown) => {
      // What the disk won't remove now is swept later; why the file was given up is the news.
      if (!isDiskError(error)) throw error;
    });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#buffered);
    this.#buffered = [];
    this.#bufferedBytes = 0;
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

/** Records that a row needs a file, in the unit of work that makes the row. */
export async function linkBlob(
  tx: Tx,
  project: number,
  owner: string,
  blob: Pick<StoredBlob, "hash" | "size">,
): Promise<void> {
  await tx.run(sql`insert into blob_names (project, owner, hash, size)
    values (${project}, ${owner}, ${blob.hash}, ${blob.size}) on conflict do nothing`);
}

/** Records that a row is gone; answers the hashes of its files, for `discard` after the commit. */
export async function unlinkBlobs(tx: Tx, project: number, owner: string): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>(sql`delete from blob_names
    where project = ${project} and owner = ${owner} returning hash`);
  return rows.map((row) => row.hash);
}

/**
 * A file as a stream of pieces, read as they are asked for. Not by `Readable.toWeb`: a client that
 * goes away in the middle made it throw where nobody could catch it, and the server ended (2.9.6).
 */
function streamFile(path: string, start: number): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let at = start;
  const close = async () => await file?.close();
  return new ReadableStream({
    async pull(controller) {
      try {
        file ??= await open(path, "r");
        const piece = new Uint8Array(READ_BUFFER_BYTES);
        const { bytesRead } = await file.read(piece, 0, READ_BUFFER_BYTES, at);
        at += bytesRead;
        if (bytesRead > 0) return controller.enqueue(piece.subarray(0, bytesRead));
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
  const named = new Set<string>();
  for (let start = 0; start < hashes.length; start += 500) {
    const some = hashes.slice(start, start + 500);
    const rows = await store.read((db) =>
      db.all<{ hash: string }>(
        sql`select distinct hash from blob_names where hash in (${joinSql([...some])})`,
      )
    );
    for (const row of rows) named.add(row.hash);
  }
  return named;
}

async function removeIfOlder(path: string, before: number): Promise<number> {
  const found = await statOrNull(path);
  if (found === null || found.mtimeMs >= before) return 0;
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
