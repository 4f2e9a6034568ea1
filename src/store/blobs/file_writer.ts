/** Writes a file under a temporary name on this machine, until it's complete. */

import { createHash } from "node:crypto";
import { type FileHandle, rm } from "node:fs/promises";
import { isDiskError, translateDiskErrors } from "../disk_error.ts";
import { type BlobWriter, DamagedBlobError, hashInName, type StoredBlob } from "./blobs.ts";

/** Size of a write, in bytes. The last one can be smaller. */
const WRITE_BYTES = 256 * 1024;

/** Where a complete file goes. */
export interface FileTarget {
  /** Returns the name for content with this hash. */
  name(sha256: string): string;
  /** Keeps the file until the returned function is called. */
  pin(name: string): () => void;
  /**
   * Stores the file at `path` under its name. It's closed, and synced if `isSynced` is true.
   *
   * @param advance see {@linkcode BlobWriter.finish}
   */
  store(path: string, name: string, advance: () => void): Promise<void>;
  readonly isSynced: boolean;
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

  async finish(advance = () => {}): Promise<StoredBlob> {
    await this.#flush();
    const sha256 = this.#digest.digest("hex");
    const name = this.#target.name(sha256);
    if (hashInName(name) !== sha256) throw new DamagedBlobError(`File ${name} is damaged`);
    const release = this.#target.pin(name);
    try {
      await translateDiskErrors(async () => {
        if (this.#target.isSynced) await this.#file.sync();
        await this.#close();
        await this.#target.store(this.#path, name, advance);
      });
    } catch (error) {
      release();
      throw error;
    }
    this.#finished = true;
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
