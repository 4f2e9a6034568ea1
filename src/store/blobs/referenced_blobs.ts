/** What all kinds of stores have in common: files are kept while they're pinned or referenced. */

import { throwAll } from "../../kernel/errors.ts";
import { isStorageUnavailable } from "../disk_error.ts";
import type { Store } from "../store.ts";
import type { Records } from "./mark.ts";
import type { Blobs, BlobWriter, LocalFile, StoredBlob } from "./blobs.ts";
import { referencedNames } from "./references.ts";

/** Number of files deleted at the same time. */
const CONCURRENT_DELETIONS = 8;

/** A store whose files are deleted once no row references them. */
export abstract class ReferencedBlobs implements Blobs {
  readonly #pins = new Map<string, number>();

  abstract claim(records: Records | undefined): Promise<void>;
  abstract writer(name?: string): Promise<BlobWriter>;
  abstract read(name: string): Promise<Uint8Array>;
  abstract stream(name: string, start?: number): ReadableStream<Uint8Array>;
  abstract size(name: string): Promise<number | null>;
  abstract local(name: string): Promise<LocalFile>;

  /** Yields the names of all files, in batches. */
  protected abstract pages(): AsyncGenerator<readonly string[]>;

  /**
   * Deletes a file, if it exists. It isn't pinned when this is called, but can be after the first
   * `await`.
   */
  protected abstract remove(name: string): Promise<void>;

  /** Deletes a file if it's older than `before`. Returns whether it was. See {@linkcode remove}. */
  protected abstract removeIfOlder(name: string, before: number): Promise<boolean>;

  /**
   * Deletes what puts left behind before `before`. Returns the number of files, and adds the errors
   * about those that can't be deleted to `failures`.
   */
  protected abstract removeUnfinished(before: number, failures: unknown[]): Promise<number>;

  async put(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob> {
    const writer = await this.writer();
    try {
      for await (const bytes of content) await writer.write(bytes);
      return await writer.finish();
    } finally {
      await writer.discard();
    }
  }

  async deleteUnreferenced(store: Store, names: readonly string[]): Promise<void> {
    const referenced = await referencedNames(store, names);
    for (let start = 0; start < names.length; start += CONCURRENT_DELETIONS) {
      const batch = names.slice(start, start + CONCURRENT_DELETIONS).filter((name) =>
        !referenced.has(name) && !this.#pins.has(name)
      );
      await Promise.all(batch.map((name) => this.remove(name)));
    }
  }

  async deleteIfUnreferenced(store: Store, name: string): Promise<void> {
    try {
      if ((await referencedNames(store, [name])).has(name)) return;
      // A unit that references it may have been committed although it failed here.
      await store.awaitUnits();
      await this.deleteUnreferenced(store, [name]);
    } catch (error) {
      if (!isStorageUnavailable(error)) throw error;
    }
  }

  async sweep(store: Store, before: number): Promise<number> {
    let deleted = 0;
    const failures: unknown[] = [];
    for await (const names of this.pages()) {
      const referenced = await referencedNames(store, names);
      for (const name of names) {
        if (referenced.has(name) || this.#pins.has(name)) continue;
        if (await tryRemoval(() => this.removeIfOlder(name, before), failures)) deleted++;
      }
    }
    deleted += await this.removeUnfinished(before, failures);
    throwAll(failures);
    return deleted;
  }

  async *names(): AsyncGenerator<string> {
    for await (const names of this.pages()) yield* names;
  }

  /** Keeps a file until the returned function is called. */
  protected pin(name: string): () => void {
    this.#pins.set(name, (this.#pins.get(name) ?? 0) + 1);
    let pinned = true;
    return () => {
      const count = this.#pins.get(name) ?? 0;
      if (pinned && count <= 1) this.#pins.delete(name);
      else if (pinned) this.#pins.set(name, count - 1);
      pinned = false;
    };
  }
}

/**
 * Returns whether `remove` has deleted a file. If it can't be deleted, e.g. because it belongs to
 * another user, adds the error to `failures`.
 *
 * @throws if the storage is unavailable, since each other file would take long
 */
export async function tryRemoval(
  remove: () => Promise<boolean>,
  failures: unknown[],
): Promise<boolean> {
  try {
    return await remove();
  } catch (error) {
    if (isStorageUnavailable(error)) throw error;
    failures.push(error);
    return false;
  }
}
