/**
 * A folder that several processes share, e.g. a volume on a network. Each put has a name of its own,
 * so no process can delete what another one is about to reference.
 */

import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../kernel/errors.ts";
import type { Random } from "../../kernel/ids.ts";
import { translateDiskErrors } from "../disk_error.ts";
import { syncFolder } from "../folders.ts";
import type { Store } from "../store.ts";
import type { BlobWriter, LocalFile } from "./blobs.ts";
import { FolderBlobs } from "./folder.ts";
import {
  BlobStoreError,
  claimStore,
  MARK_NAME,
  type MarkedStore,
  type Records,
  requireMark,
} from "./mark.ts";

/** The files in a shared folder. */
export class SharedFolderBlobs extends FolderBlobs implements MarkedStore {
  readonly description: string;
  readonly #mark: string;

  /** @param mark that of the instance. Files are only written to a folder that has it */
  constructor(directory: string, mark: string, random: Random) {
    super(directory, random);
    this.description = `folder "${directory}"`;
    this.#mark = mark;
  }

  override async claim(records: Records | undefined): Promise<void> {
    try {
      if (!(await stat(this.directory)).isDirectory()) throw new Error("it's a file");
      await claimStore(this, this.#mark, records);
    } catch (error) {
      if (error instanceof BlobStoreError) throw error;
      const { code, message } = error as { code?: string; message: string };
      const reason = code === "ENOENT" ? "it doesn't exist; create or mount it" : message;
      throw new BlobStoreError(`Can't use ${this.description}: ${reason}`);
    }
  }

  override async writer(name?: string): Promise<BlobWriter> {
    await this.#requireFolder();
    return await super.writer(name);
  }

  override async read(name: string): Promise<Uint8Array> {
    await this.#requireFolder();
    return await translateDiskErrors(() => super.read(name));
  }

  override async size(name: string): Promise<number | null> {
    await this.#requireFolder();
    return await translateDiskErrors(() => super.size(name));
  }

  override async local(name: string): Promise<LocalFile> {
    await this.#requireFolder();
    return await translateDiskErrors(() => super.local(name));
  }

  /** Another instance's folder could be mounted in this one's place. */
  override async sweep(store: Store, before: number): Promise<number> {
    await this.#requireFolder();
    return await super.sweep(store, before);
  }

  async readMark(): Promise<string | null> {
    try {
      return (await readFile(join(this.directory, MARK_NAME), "utf8")).trim();
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return null;
      throw error;
    }
  }

  async writeMark(text: string): Promise<void> {
    const path = join(this.directory, MARK_NAME);
    // Several processes may start at the same time. They write the same.
    const partial = `${path}.${this.nonce()}`;
    await writeFile(partial, `${text}\n`, { mode: 0o600, flush: true });
    await rename(partial, path);
    await syncFolder(this.directory);
  }

  protected override nameOf(sha256: string): string {
    return `${sha256}-${this.nonce()}`;
  }

  /** A folder that isn't mounted is an empty one. */
  async #requireFolder(): Promise<void> {
    try {
      await translateDiskErrors(() => requireMark(this, this.#mark));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const message = "The shared folder can't be read; nothing was changed";
      throw new ApiError("STORAGE_UNAVAILABLE", message, { retryAfter: 5, cause: error });
    }
  }
}
