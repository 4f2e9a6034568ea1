/** A temporary store for a single test. */

import { SqliteStore } from "../../src/store/sqlite/store.ts";
import "../../testing/note_statements.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Runs a test with a store in a fresh directory, then deletes both. */
export async function withStore(work: (store: SqliteStore) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  try {
    await work(store);
  } finally {
    await store.close();
    await rm(directory);
  }
}
