/** Writes a file of a folder under a temporary name, and renames it once it's complete. */

import { createHash } from "node:crypto";
import { type FileHandle, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isDiskError, translateDiskErrors } from "../disk_error.ts";
import { syncFolder } from "../folders.ts";
import { type BlobWriter, hashInName, type StoredBlob } from "./blobs.ts";

/** Size of a write, in bytes. The last one can be smaller. */
const WRITE_BYTES = 256 * 1024;

/** Where a complete file goes. */
export interface FileTarget {
  /** Returns the name for content with this hash. */
  name(sha256: string): string;
  path(name: string): string;
  /** Keeps the file until the returned function is called. */
  pin(name: string): () => void;
}

/** A file still being written. */
export class FileBlobWriter implements BlobWriter {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #target: FileTarget;
  readonly #digest = createHash("sha256");
  readonly #buffer = new Uint8Array(WRITE_BYTES);
  #buffered = 0;
  #open = true;
  #finished = false;
  size = 0;

  /** @param path where `file` is until it's complete */
  constructor(file: FileHandle, path: string, target: FileTarget) {
    this.#file = file;
    this.#path = path;
    this.#target = target;
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
    const sha256 = this.#digest.digest("hex");
    const name = this.#target.name(sha256);
    if (hashInName(name) !== sha256) throw new Error(`File ${name} is damaged`);
    const release = this.#target.pin(name);
    try {
      await translateDiskErrors(() => this.#moveTo(this.#target.path(name)));
    } catch (error) {
      release();
      throw error;
    }
    return { name, sha256, size: this.size, release };
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
