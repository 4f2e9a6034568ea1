/** Overwriting what deletions leave in a large index keeps nobody waiting: no deletion, no stop. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { prepareChunks } from "../../src/documents/prepare.ts";
import { VersionGc } from "../../src/documents/version_gc.ts";
import { ChunkBatchQueue } from "../../src/documents/chunk_batch_queue.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import type { Reader } from "../../src/store/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Works on an index that takes some twenty steps to be merged. */
async function withLargeIndex(
  work: (retirement: VersionGc, slices: ChunkBatchQueue, store: SqliteStore) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const slices = new ChunkBatchQueue(store, store.path);
  const retirement = new VersionGc(store, slices);
  const random = new SeededRandom(7);
  const word = () => random.below(2 ** 31).toString(36);
  try {
    for (let file = 0; file < 4; file++) {
      const content = Array.from({ length: 120_000 }, word).join(" ");
      const document = { project: 1, title: "Log", tags: [], content };
      const version = await slices.begin(document);
      retirement.pin(version);
      const chunks = prepareChunks({ ...document, chunkedAs: "text/plain" });
      for (let from = 0; from < chunks.length; from += 300) {
        const some = chunks.slice(from, from + 300);
        await slices.append({ ...document, version, from, chunks: some });
      }
    }
    await work(retirement, slices, store);
  } finally {
    await slices.close();
    await store.close();
    await rm(directory);
  }
}

function mark(store: SqliteStore): Promise<unknown> {
  return store.write((tx) =>
    tx.run(sql`insert into meta (name, value) values ('unpurged_chunks', '1')`)
  );
}

/** A store on which something happens just before the next look at it. */
class InterruptedStore extends SqliteStore {
  before: (() => Promise<void>) | null = null;

  override async read<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    const before = this.before;
    this.before = null;
    await before?.();
    return await super.read(work);
  }
}

Deno.test("what is deleted as the index begins to be written anew is overwritten too", async () => {
  const directory = makeTempDirSync();
  const store = new InterruptedStore(directory);
  const slices = new ChunkBatchQueue(store, store.path);
  const retirement = new VersionGc(store, slices);
  try {
    const document = { project: 1, title: "Note", tags: [], content: "Here stands quetzalgone" };
    const version = await slices.begin(document);
    retirement.pin(version);
    const chunks = prepareChunks({ ...document, chunkedAs: "text/plain" });
    await slices.append({ ...document, version, from: 0, chunks });
    await retirement.collect();
    const words = () =>
      store.read((db) =>
        db.all(sql`select term from chunks_vocabulary where term like '%quetzalgon%'`)
      );
    strictEqual((await words()).length, 1);
    store.before = async () => {
      retirement.unpin(version);
      await mark(store);
    };
    await retirement.runRound();
    const left = await store.read((db) => db.all(sql`select version from retired_versions`));
    deepStrictEqual(left, [], "cleared before the mark was taken away");
    deepStrictEqual(await words(), []);
  } finally {
    await slices.close();
    await store.close();
    await rm(directory);
  }
});

Deno.test("a deletion has its turn while the segments of others are merged", async () => {
  await withLargeIndex(async (retirement) => {
    const ended: string[] = [];
    await Promise.all([
      retirement.collect().then(() => ended.push("order")),
      retirement.collectDeleted().then(() => ended.push("deletion")),
    ]);
    deepStrictEqual(ended, ["deletion", "order"]);
  });
});

Deno.test("a stop ends the round in which an index is written anew", async () => {
  await withLargeIndex(async (retirement, slices, store) => {
    await retirement.collect();
    await mark(store);
    const round = retirement.runRound();
    await retirement.stop(8);
    await slices.close();
    await round;
    const left = await store.read((db) =>
      db.all(sql`select value from meta where name = 'unpurged_chunks'`)
    );
    deepStrictEqual(left, [{ value: "1" }], "the next start takes up what is left");
  });
});
