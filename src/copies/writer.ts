/** Writes the search copies in a file. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import sql from "sql-template-tag";
import { ApiError } from "../kernel/errors.ts";
import { NO_REPORT } from "../kernel/progress.ts";
import { readMeta, writeMeta } from "../store/meta.ts";
import { Connection } from "../store/sqlite/connection.ts";
import { asReader, databasePath, SqliteStore } from "../store/sqlite/store.ts";
import { VERSION } from "../version.ts";
import { applyBatch, clearSome, removeOldModels } from "./apply.ts";
import type { CopyBatch } from "./feed.ts";
import {
  type CopyState,
  deleteState,
  type NumberedState,
  readState,
  readStates,
  writeState,
} from "./state.ts";

/** What has changed in a project, and the copy's state afterwards. */
export interface CopyChange {
  readonly apply: CopyBatch;
  readonly project: number;
  /** The copy's state before. Undefined if nothing has been copied. */
  readonly after: CopyState | undefined;
  readonly state: CopyState;
}

/** Name of the value that says which version of the program made a file. */
const VERSION_NAME = "copy_version";

/** The writer of a file. */
export class CopyWriter {
  readonly #store: SqliteStore;
  /** The removal of old models. Undefined unless it's running. */
  #removal: Promise<void> | undefined;
  #closing = false;

  private constructor(store: SqliteStore) {
    this.#store = store;
  }

  /** Opens the file in a folder. Deletes it first if another version of the program made it. */
  static async open(folder: string): Promise<CopyWriter> {
    try {
      const store = openStore(folder);
      const made = await store.read((db) => readMeta(db, VERSION_NAME));
      if (made === undefined || made === VERSION) return await CopyWriter.#begin(store);
      await store.close();
    } catch (error) {
      // Anything else is a file that can't be used, which is not worth more than a new one.
      if (error instanceof ApiError) throw error;
    }
    deleteDatabase(folder);
    return await CopyWriter.#begin(openStore(folder));
  }

  static async #begin(store: SqliteStore): Promise<CopyWriter> {
    await store.write("maintenance", (tx) => writeMeta(tx, VERSION_NAME, VERSION));
    return new CopyWriter(store);
  }

  /** Returns the states of the copies in the file. */
  states(): Promise<readonly NumberedState[]> {
    return this.#store.read(readStates);
  }

  /** Applies a change. Fails if the file was replaced, e.g. because someone deleted it. */
  async apply({ project, apply: batch, after, state }: CopyChange): Promise<void> {
    await this.#store.write(project, async (tx) => {
      if (!isDeepStrictEqual(await readState(tx, project), after)) {
        throw new Error("The file isn't the copy that was there before");
      }
      await applyBatch(this.#store, tx, project, batch);
      await writeState(tx, project, state);
    });
    // Changes don't wait for this. If it fails, the next one starts it again.
    this.#removal ??= removeOldModels(this.#store, () => this.#closing)
      .catch(() => undefined)
      .finally(() => this.#removal = undefined);
  }

  /**
   * Removes a part of a project. It counts as not copied from the first part on.
   *
   * @returns false when nothing is left
   */
  clearSome(project: number): Promise<boolean> {
    return this.#store.write(project, async (tx) => {
      await deleteState(tx, project);
      return await clearSome(this.#store, tx, project);
    });
  }

  /** Returns the size of what is copied. The file keeps the space of what was removed. */
  async bytes(): Promise<number> {
    const row = await this.#store.queryOne<{ bytes: number }>(sql`select
      (page_count - freelist_count) * page_size as bytes
      from pragma_page_count, pragma_freelist_count, pragma_page_size`);
    return row!.bytes;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#removal;
    await this.#store.close();
  }
}

/**
 * Returns the state of a project in a file of its own. Undefined if the file can't be used: it
 * doesn't exist, another version made it, it's damaged, or nothing has been copied.
 *
 * @throws ApiError STORAGE_UNAVAILABLE if it can't be read at the moment
 */
export async function readOwnState(
  folder: string,
  project: number,
): Promise<CopyState | undefined> {
  const path = databasePath(folder);
  if (!existsSync(path)) return undefined;
  try {
    const connection = new Connection(path, { readOnly: true });
    try {
      const db = asReader(connection);
      if (await readMeta(db, VERSION_NAME) !== VERSION) return undefined;
      return await readState(db, project);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Filling it again costs less than a decision about each of the others.
    return undefined;
  }
}

/** A copy can be rebuilt, so its commits don't wait for the disk. */
function openStore(folder: string): SqliteStore {
  return new SqliteStore(folder, NO_REPORT, { durable: false });
}

function deleteDatabase(folder: string): void {
  for (const suffix of ["", "-wal", "-shm"]) {
    rmSync(join(folder, `commonplace.db${suffix}`), { force: true });
  }
}
