/**
 * Files on this machine for as long as they're needed: uploads to a remote store, and copies for
 * code that needs a path. A process that is killed leaves them behind for a later sweep.
 */

import { rmSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Random } from "../../kernel/ids.ts";
import { translateDiskErrors } from "../disk_error.ts";
import { listEntriesIfExists } from "../folders.ts";
import type { LocalFile } from "./blobs.ts";
import { createNonce } from "./folder.ts";

/** Writes a file's content. */
type Fill = (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;

interface Entry {
  readonly path: string;
  readonly ready: Promise<void>;
  users: number;
}

/** A folder for temporary files, which are accessible only to their owner. */
export class WorkFolder {
  readonly #directory: string;
  readonly #random: Random;
  readonly #entries = new Map<string, Entry>();

  /** @param directory created along with the first file. Several processes can use it */
  constructor(directory: string, random: Random) {
    this.#directory = resolve(directory);
    this.#random = random;
  }

  /**
   * Creates an empty file.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if the disk is full, fails or is read-only
   */
  async create(): Promise<{ readonly file: FileHandle; readonly path: string }> {
    const path = this.#newPath();
    return { file: await this.#open(path), path };
  }

  /** Keeps a file under a name until the returned function is called, and deletes it then. */
  keep(name: string, path: string): () => void {
    const entry: Entry = { path, ready: Promise.resolve(), users: 1 };
    this.#entries.set(name, entry);
    return () => this.#release(name, entry);
  }

  /**
   * Returns the file with a name. Callers that need it at the same time share it.
   *
   * @param fill writes the content, if the file isn't there
   */
  async use(name: string, fill: Fill): Promise<LocalFile> {
    const entry = this.#entries.get(name) ?? this.#add(name, fill);
    entry.users++;
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#release(name, entry);
      isReleased = true;
      return Promise.resolve();
    };
    try {
      await entry.ready;
    } catch (error) {
      await release();
      throw error;
    }
    return { path: entry.path, release };
  }

  /** Deletes files that were last written before `before`. Returns how many. */
  async removeOlder(before: number): Promise<number> {
    const used = new Set([...this.#entries.values()].map(({ path }) => path));
    let deleted = 0;
    for (const name of await listEntriesIfExists(this.#directory)) {
      const path = join(this.#directory, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (used.has(path) || stats === undefined || stats.mtimeMs >= before) continue;
      rmSync(path, { force: true });
      deleted++;
    }
    return deleted;
  }

  #add(name: string, fill: Fill): Entry {
    const path = this.#newPath();
    const entry = { path, ready: this.#fill(path, fill), users: 0 };
    this.#entries.set(name, entry);
    return entry;
  }

  #newPath(): string {
    return join(this.#directory, `${Deno.pid}-${createNonce(this.#random)}`);
  }

  #open(path: string): Promise<FileHandle> {
    return translateDiskErrors(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      return await open(path, "wx", 0o600);
    });
  }

  async #fill(path: string, fill: Fill): Promise<void> {
    const file = await this.#open(path);
    try {
      await fill((bytes) => writeAll(file, bytes));
    } finally {
      await file.close();
    }
  }

  #release(name: string, entry: Entry): void {
    entry.users--;
    if (entry.users > 0) return;
    if (this.#entries.get(name) === entry) this.#entries.delete(name);
    rmSync(entry.path, { force: true });
  }
}

/** Writes bytes at the position of a file, all of them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await translateDiskErrors(async () => {
    for (let written = 0; written < bytes.length;) {
      written += (await file.write(bytes, written)).bytesWritten;
    }
  });
}
