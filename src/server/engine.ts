/** Opens the storage engine. The only place that decides which one it is. */

import { type BatchRunner, threadedBatches } from "../documents/chunk_batch_queue.ts";
import { reindexChunksIfOutdated } from "../documents/reindex.ts";
import { reindexIfOutdated } from "../memories/reindex.ts";
import type { SearchGround } from "../search/ground.ts";
import { SqliteStore } from "../store/sqlite/store.ts";
import { CheckpointWorker } from "../store/sqlite/wal.ts";
import type { Store } from "../store/store.ts";

/** A storage engine: the records, and what depends on how they are stored. */
export interface Engine {
  readonly store: Store;
  /** The database that searches read. */
  readonly ground: SearchGround;
  /** Writes large documents. */
  readonly batches: BatchRunner;
  /** Closes the store and ends the engine's threads. */
  close(): Promise<void>;
}

/** Opens a data directory's engine, and migrates its schema and text indexes. */
export async function openEngine(directory: string): Promise<Engine> {
  const store = new SqliteStore(directory);
  await reindexIfOutdated(store);
  await reindexChunksIfOutdated(store);
  const checkpoints = new CheckpointWorker(store.path);
  store.delegateCheckpoints(() => checkpoints.run());
  return {
    store,
    ground: { database: store.path, ready: () => undefined },
    batches: threadedBatches(store),
    async close() {
      await store.close();
      checkpoints.close();
    },
  };
}
