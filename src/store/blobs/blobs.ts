/**
 * Stores files next to the database: uploads, artifacts, large results. A file is complete and
 * durable before any row references it, and deleted once none does.
 */

import type { Store } from "../store.ts";
import type { Records } from "./mark.ts";

/**
 * The SHA-256 of the content, and a suffix that begins with "-" in a store that processes share, or
 * with "." in a data directory. Older files in a data directory have none.
 */
const NAME = /^[0-9a-f]{64}(?:[-.][0-9a-z]+)?$/;

const HASH_LENGTH = 64;

/** A complete file, pinned until `release` is called. */
export interface StoredBlob {
  /** Identifies the file in its store. */
  readonly name: string;
  /** SHA-256 of the content, as 64 lowercase hex digits. */
  readonly sha256: string;
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
  /**
   * Makes the file durable and gives it its name.
   *
   * @param advance called before each part of a file that is stored in parts. May throw, which ends
   *   the upload
   * @throws DamagedBlobError if it was opened with the name of other content
   */
  finish(advance?: () => void): Promise<StoredBlob>;
  /** Deletes an unfinished file. No-op after `finish`. */
  discard(): Promise<void>;
}

/** A file on this machine, kept until `release` is called. */
export interface LocalFile {
  /** Absolute path. Don't write to it. */
  readonly path: string;
  release(): Promise<void>;
}

/**
 * The files of an instance. Calls throw ApiError STORAGE_UNAVAILABLE if the disk or the store of the
 * files fails in a way that can pass.
 */
export interface Blobs {
  /**
   * Checks that the store has the files of the instance. A server calls this once, at its start.
   *
   * @param records those of the instance, or undefined if the files will be copied into the store
   * @throws BlobStoreError if the store can't be used, or belongs to another instance
   */
  claim(records: Records | undefined): Promise<void>;
  /**
   * Opens a new file for writing. The content can be of any length, since it isn't buffered in
   * memory.
   *
   * @param name name in the instance that the file is copied from. By default, a new one
   */
  writer(name?: string): Promise<BlobWriter>;
  /** Writes a file and returns it. */
  put(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob>;
  /**
   * Returns a file's content.
   *
   * @throws if the file doesn't exist
   */
  read(name: string): Promise<Uint8Array>;
  /** Returns a file's content as a stream, starting at byte `start`. */
  stream(name: string, start?: number): ReadableStream<Uint8Array>;
  /** Returns a file's size in bytes, or null if it doesn't exist. */
  size(name: string): Promise<number | null>;
  /**
   * Returns a file as one on this machine, for code that needs a path.
   *
   * @throws if the file doesn't exist
   */
  local(name: string): Promise<LocalFile>;
  /**
   * Deletes those of the given files no longer referenced by any row. Call this after the commit.
   */
  deleteUnreferenced(store: Store, names: readonly string[]): Promise<void>;
  /** Deletes a single file unless a row references it. If that fails, a later sweep will do it. */
  deleteIfUnreferenced(store: Store, name: string): Promise<void>;
  /**
   * Deletes unreferenced and unfinished files older than `before`. Fails at the end if one of them
   * can't be deleted.
   *
   * @param before milliseconds since the Unix epoch
   * @returns how many files were deleted
   */
  sweep(store: Store, before: number): Promise<number>;
  /** Yields the names of all files. */
  names(): AsyncGenerator<string>;
}

/** Checks whether a text can be the name of a file. */
export function isBlobName(name: string): boolean {
  return NAME.test(name);
}

/** Content that isn't what its name says. */
export class DamagedBlobError extends Error {
  override readonly name = "DamagedBlobError";
}

/** Returns the error for a file that doesn't exist, with the code of the file system. */
export function missingBlob(name: string): Error {
  return Object.assign(new Error(`File ${name} doesn't exist`), { code: "ENOENT" });
}

/** Returns the SHA-256 of a file's content, which its name begins with. */
export function hashInName(name: string): string {
  return name.slice(0, HASH_LENGTH);
}

/**
 * Returns a file's place within its store. Folders with hundreds of thousands of entries are slow.
 *
 * @throws Error if `name` isn't the name of a file
 */
export function blobKey(name: string): string {
  if (!isBlobName(name)) throw new Error(`"${name}" is not the name of a file`);
  return `${name.slice(0, 2)}/${name}`;
}

/** Returns the name of the file at a place, or null if no file can be there. */
export function nameInKey(key: string): string | null {
  const name = key.split("/").at(-1)!;
  return isBlobName(name) && blobKey(name) === key ? name : null;
}
