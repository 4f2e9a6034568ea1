/** Writes the search copies in a file. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import sql from "sql-template-tag";
import { ApiError } from "../kernel/errors.ts";
import { NO_REPORT } from "../kernel/progress.ts";
import { REMOVAL_BATCH_VECTORS, removeModelBatch } from "../search/vectors/vector_store.ts";
import { readMeta, writeMeta } from "../store/meta.ts";
import { Connection } from "../store/sqlite/connection.ts";
import { asReader, databasePath, SqliteStore } from "../store/sqlite/store.ts";
import { VERSION } from "../version.ts";
import { applyBatch, clearSome, findOldModel } from "./apply.ts";
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

/** What a file has of a project. */
export interface CopyContent {
  readonly state: CopyState;
  /** Whether the file has models that are gone from the records. */
  readonly hasOldModels: boolean;
}

/** Name of the value that says which version of the program made a file. */
const VERSION_NAME = "copy_version";

/** The writer of a file. */
export class CopyWriter {
  readonly #store: SqliteStore;
  /** An old model, and the number of the last vector that was checked for being one of it. */
  #removal = { model: 0, after: 0 };

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

  /** Checks whether the file has models that are gone from the records. */
  async hasOldModels(): Promise<boolean> {
    return await this.#store.read(findOldModel) !== undefined;
  }

  /**
   * Applies a change. Fails if the file was replaced, e.g. because someone deleted it.
   *
   * @returns whether the file has models that are gone from the records
   */
  apply({ project, apply: batch, after, state }: CopyChange): Promise<boolean> {
    return this.#store.write(project, async (tx) => {
      if (!isDeepStrictEqual(await readState(tx, project), after)) {
        throw new Error("The file isn't the copy that was there before");
      }
      await applyBatch(this.#store, tx, project, batch);
      await writeState(tx, project, state);
      return await findOldModel(tx) !== undefined;
    });
  }

  /**
   * Removes some vectors of a model that is gone from the records, and the model with its last ones.
   * All at once, that takes ten seconds for a million, and what changes would wait.
   *
   * @returns false when no such model is left
   */
  async removeOldVectors(): Promise<boolean> {
    const model = await this.#store.read(findOldModel);
    if (model === undefined) return false;
    const from = this.#removal.model === model.number ? this.#removal.after : 0;
    const after = await this.#store.write(
      "maintenance",
      (tx) => removeModelBatch(tx, model, from, REMOVAL_BATCH_VECTORS),
    );
    this.#removal = { model: model.number, after: after ?? 0 };
    return after !== null || await this.hasOldModels();
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

  close(): Promise<void> {
    return this.#store.close();
  }
}

/**
 * Returns what a file of its own has of a project. Undefined if the file can't be used: it doesn't
 * exist, another version made it, it's damaged, or nothing has been copied.
 *
 * @throws ApiError STORAGE_UNAVAILABLE if it can't be read at the moment
 */
export async function readOwnFile(
  folder: string,
  project: number,
): Promise<CopyContent | undefined> {
  const path = databasePath(folder);
  if (!existsSync(path)) return undefined;
  try {
    const connection = new Connection(path, { readOnly: true });
    try {
      const db = asReader(connection);
      if (await readMeta(db, VERSION_NAME) !== VERSION) return undefined;
      const state = await readState(db, project);
      return state && { state, hasOldModels: await findOldModel(db) !== undefined };
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
