/** Writes the search copies of a process. Runs in a thread, since it would block the event loop. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { ApiError } from "../kernel/errors.ts";
import { NO_REPORT } from "../kernel/progress.ts";
import { writeMeta } from "../store/meta.ts";
import { SqliteStore } from "../store/sqlite/store.ts";
import { VERSION } from "../version.ts";
import { applyBatch, clearSome } from "./apply.ts";
import type { CopyBatch } from "./feed.ts";
import {
  type CopyState,
  deleteState,
  type NumberedState,
  readStates,
  writeState,
} from "./state.ts";

/** What has changed in a project, and the copy's state afterwards. */
export interface CopyChange {
  readonly apply: CopyBatch;
  readonly project: number;
  readonly state: CopyState;
}

/** Steps of the writer. */
export type CopyRequest =
  | { readonly open: true }
  | CopyChange
  | { readonly clear: number }
  | { readonly measure: true }
  | { readonly close: true };

/**
 * For `open`, the states of all copies. For `apply` and `measure`, the size of all copies in bytes.
 * For `clear`, whether there is more to remove.
 */
export type CopyResponse = readonly NumberedState[] | number | boolean;

/** The writer of the copies in a folder. */
export class CopyWriter {
  readonly #store: SqliteStore;

  private constructor(store: SqliteStore) {
    this.#store = store;
  }

  /** Opens the copies in a folder. Deletes them first if another version of the program made them. */
  static async open(folder: string): Promise<CopyWriter> {
    try {
      const store = openStore(folder);
      const made = await store.queryOne<{ value: string }>(VERSION_QUERY);
      if (made === undefined || made.value === VERSION) return await CopyWriter.#begin(store);
      await store.close();
    } catch (error) {
      // Anything else is a file that can't be used, which is not worth more than a new one.
      if (error instanceof ApiError) throw error;
    }
    deleteDatabase(folder);
    return await CopyWriter.#begin(openStore(folder));
  }

  static async #begin(store: SqliteStore): Promise<CopyWriter> {
    await store.write("maintenance", (tx) => writeMeta(tx, "copy_version", VERSION));
    return new CopyWriter(store);
  }

  async run(request: CopyRequest): Promise<CopyResponse> {
    if ("open" in request) return await this.#store.read(readStates);
    if ("clear" in request) return await this.#clearSome(request.clear);
    if ("measure" in request) return await this.#bytes();
    if ("close" in request) return await this.#store.close().then(() => true);
    const { project, apply: batch, state } = request;
    await this.#store.write(project, async (tx) => {
      await applyBatch(this.#store, tx, project, batch);
      await writeState(tx, project, state);
    });
    return await this.#bytes();
  }

  /** Removes a part of a project. It counts as not copied from the first part on. */
  #clearSome(project: number): Promise<boolean> {
    return this.#store.write(project, async (tx) => {
      await deleteState(tx, project);
      return await clearSome(this.#store, tx, project);
    });
  }

  /** Returns the size of what is copied. The file keeps the space of what was removed. */
  async #bytes(): Promise<number> {
    const row = await this.#store.queryOne<{ bytes: number }>(sql`select
      (page_count - freelist_count) * page_size as bytes
      from pragma_page_count, pragma_freelist_count, pragma_page_size`);
    return row!.bytes;
  }
}

const VERSION_QUERY = sql`select value from meta where name = 'copy_version'`;

/** A copy can be rebuilt, so its commits don't wait for the disk. */
function openStore(folder: string): SqliteStore {
  return new SqliteStore(folder, NO_REPORT, { durable: false });
}

function deleteDatabase(folder: string): void {
  for (const suffix of ["", "-wal", "-shm"]) {
    rmSync(join(folder, `commonplace.db${suffix}`), { force: true });
  }
}
