/** The store for threads beside the main one, with a writing connection of its own. */

import type { NumberedTable, TextIndex, TextIndexName, Tx, WriteStore } from "../store.ts";
import { Connection } from "./connection.ts";
import { GroupCommit } from "./group_commit.ts";
import { MAX_WAL_PAGES } from "./wal.ts";
import { reserveRowNumbers } from "./row_numbers.ts";
import { TEXT_INDEXES } from "./text_index.ts";

/** Less than other connections have: every write of the main thread empties this cache. */
const PAGE_CACHE_KIB = 8 * 1024;

/** Units of work, as durable as those of the main thread; to be run while it lends the lock. */
export class WorkerStore implements WriteStore {
  readonly #writer: Connection;
  readonly #commits: GroupCommit;

  /** @param path the database file, which the main thread has opened and brought up to date */
  constructor(path: string) {
    this.#writer = new Connection(path);
    this.#writer.exec(`pragma wal_autocheckpoint = ${MAX_WAL_PAGES}`);
    this.#writer.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`);
    // All listeners are in the main thread.
    this.#commits = new GroupCommit(this.#writer, () => {});
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#commits.submit(work);
  }

  reserve(tx: Tx, table: NumberedTable, count: number): Promise<number> {
    return reserveRowNumbers(tx, table, count);
  }

  textIndex(name: TextIndexName): TextIndex {
    return TEXT_INDEXES[name];
  }

  close(): void {
    this.#writer.close();
  }
}
