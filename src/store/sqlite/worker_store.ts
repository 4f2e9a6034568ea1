/** The store for worker threads, with a write connection separate from the main thread's. */

import type { NumberedTable, Owner, Tx, WriteStore } from "../store.ts";
import { Connection } from "./connection.ts";
import { GroupCommit } from "./group_commit.ts";
import { MAX_WAL_PAGES } from "./wal.ts";
import { reserveRowNumbers } from "./row_numbers.ts";
import { SQLITE_INDEX } from "./text_index.ts";

/** Smaller than other connections' caches, since every write on the main thread invalidates it. */
const PAGE_CACHE_KIB = 8 * 1024;

/**
 * Runs units of work just as durable as those on the main thread. Only use it while the main thread
 * is running {@linkcode SqliteStore.runExclusive}.
 */
export class WorkerStore implements WriteStore {
  readonly index = SQLITE_INDEX;
  readonly #writer: Connection;
  readonly #commits: GroupCommit;

  /** @param path the database file, already opened and migrated by the main thread */
  constructor(path: string) {
    this.#writer = new Connection(path);
    this.#writer.exec(`pragma wal_autocheckpoint = ${MAX_WAL_PAGES}`);
    this.#writer.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`);
    // All listeners are on the main thread.
    this.#commits = new GroupCommit(this.#writer, () => {});
  }

  write<T>(_owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#commits.submit(work);
  }

  reserve(tx: Tx, table: NumberedTable, count: number): Promise<number> {
    return reserveRowNumbers(tx, table, count);
  }

  close(): void {
    this.#writer.close();
  }
}
