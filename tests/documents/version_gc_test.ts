/**
 * Tests the collector on a large index. Makes sure that compaction doesn't delay deletions or
 * stopping.
 */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { prepareChunks } from "../../src/documents/prepare.ts";
import { VersionGc } from "../../src/documents/version_gc.ts";
import { ChunkBatchQueue, threadedBatches } from "../../src/documents/chunk_batch_queue.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import type { Reader } from "../../src/store/store.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Runs a test with an index that takes about twenty steps to merge. */
async function withLargeIndex(
  work: (gc: VersionGc, batches: ChunkBatchQueue, store: SqliteStore) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const batches = new ChunkBatchQueue(threadedBatches(store));
  const gc = new VersionGc(store, batches);
  const random = new SeededRandom(7);
  const word = () => random.below(2 ** 31).toString(36);
  try {
    for (let file = 0; file < 4; file++) {
      const content = Array.from({ length: 120_000 }, word).join(" ");
      const document = { project: 1, title: "Log", tags: [], content };
      const version = await batches.begin(document);
      gc.pin(version);
      const chunks = prepareChunks({ ...document, chunkedAs: "text/plain" });
      for (let from = 0; from < chunks.length; from += 300) {
        await batches.append({
          ...document,
          version,
          from,
          chunks: chunks.slice(from, from + 300),
        });
      }
    }
    await work(gc, batches, store);
  } finally {
    await batches.close();
    await store.close();
    await rm(directory);
  }
}

function raiseMark(store: SqliteStore): Promise<unknown> {
  return store.write(
    "maintenance",
    (tx) => tx.run(sql`insert into meta (name, value) values ('unpurged_chunks', '1')`),
  );
}

/** A store that runs a callback before the next read. */
class InterruptedStore extends SqliteStore {
  before: (() => Promise<void>) | null = null;

  override async read<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    const before = this.before;
    this.before = null;
    await before?.();
    return await super.read(work);
  }
}

Deno.test("runRound() compacts what is deleted immediately before compaction begins", async () => {
  const directory = makeTempDirSync();
  const store = new InterruptedStore(directory);
  const batches = new ChunkBatchQueue(threadedBatches(store));
  const gc = new VersionGc(store, batches);
  try {
    const document = { project: 1, title: "Note", tags: [], content: "Here stands quetzalgone" };
    const version = await batches.begin(document);
    gc.pin(version);
    const chunks = prepareChunks({ ...document, chunkedAs: "text/plain" });
    await batches.append({ ...document, version, from: 0, chunks });
    await gc.collect();
    const words = () =>
      store.read((db) =>
        db.all(sql`select term from chunks_vocabulary where term like '%quetzalgon%'`)
      );
    strictEqual((await words()).length, 1);
    store.before = async () => {
      gc.unpin(version);
      await raiseMark(store);
    };
    await gc.runRound();
    const remaining = await store.read((db) => db.all(sql`select version from retired_versions`));
    deepStrictEqual(remaining, [], "collected before the mark is dropped");
    deepStrictEqual(await words(), []);
  } finally {
    await batches.close();
    await store.close();
    await rm(directory);
  }
});

Deno.test("collectDeleted() gets its turn while collect() merges segments", async () => {
  await withLargeIndex(async (gc) => {
    const ended: string[] = [];
    await Promise.all([
      gc.collect().then(() => ended.push("merge")),
      gc.collectDeleted().then(() => ended.push("deletion")),
    ]);
    deepStrictEqual(ended, ["deletion", "merge"]);
  });
});

Deno.test("stop() ends a round in progress, and leaves the rest to the next start", async () => {
  await withLargeIndex(async (gc, batches, store) => {
    await gc.collect();
    await raiseMark(store);
    const round = gc.runRound();
    await gc.stop(8);
    await batches.close();
    await round;
    const remaining = await store.read((db) =>
      db.all(sql`select value from meta where name = 'unpurged_chunks'`)
    );
    deepStrictEqual(remaining, [{ value: "1" }], "the next start continues");
  });
});

Deno.test("collect() collects what it couldn't while another process had the lock", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const batches = new ChunkBatchQueue(threadedBatches(store));
  const gc = new VersionGc(store, batches);
  const other = new DatabaseSync(databasePath(directory), BUSY_TIMEOUT);
  try {
    const document = { project: 1, title: "Note", tags: [], content: "Here stands quetzalgone" };
    gc.unpin(await batches.begin(document));
    other.exec("begin immediate");
    await rejects(gc.collect(), { code: "STORAGE_UNAVAILABLE" });
    other.exec("rollback");
    await gc.collect();
    deepStrictEqual(await store.read((db) => db.all(sql`select 1 from retired_versions`)), []);
  } finally {
    other.close();
    await batches.close();
    await store.close();
    await rm(directory);
  }
});
