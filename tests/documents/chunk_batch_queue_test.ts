/** Tests for the queue that writes batches of chunks in a separate thread. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { prepareChunks } from "../../src/documents/prepare.ts";
import { ChunkBatchQueue, threadedBatches } from "../../src/documents/chunk_batch_queue.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { markdownSections } from "./documents.ts";

const CONTENT = markdownSections(30);
const CHUNKS = prepareChunks({
  project: 1,
  content: CONTENT,
  chunkedAs: "text/markdown",
  title: "Guide",
});
const START = { project: 1, title: "Guide", tags: ["user_id=ana"], content: CONTENT };

async function withQueue(work: (queue: ChunkBatchQueue, store: SqliteStore) => Promise<void>) {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const queue = new ChunkBatchQueue(threadedBatches(store));
  try {
    await work(queue, store);
  } finally {
    await queue.close();
    await store.close();
    await rm(directory);
  }
}

/** Returns the number of indexed chunks for each version on the collector's work list. */
async function indexedChunks(store: SqliteStore): Promise<[version: number, chunks: number][]> {
  const rows = await store.read((db) =>
    db.all<{ version: number; indexed: number }>(
      sql`select version, indexed from retired_versions order by version`,
    )
  );
  return rows.map(({ version, indexed }) => [version, indexed]);
}

Deno.test("append() resolves after the batch is on disk, in the order of the calls", async () => {
  await withQueue(async (queue, store) => {
    const batch = { ...START, version: 1, chunks: CHUNKS.slice(0, 10) };
    const [version, ...appended] = await Promise.all([
      queue.begin(START),
      queue.append({ ...batch, from: 0 }),
      queue.append({ ...batch, from: 10 }),
    ]);
    deepStrictEqual([version, ...appended], [1, true, true]);
    deepStrictEqual(await indexedChunks(store), [[1, 20]]);
    strictEqual(
      await queue.append({ ...batch, from: 10 }),
      false,
      "these chunks are written already",
    );
  });
});

Deno.test("collect() skips versions that are pinned when it gets to run", async () => {
  await withQueue(async (queue, store) => {
    const pinned = new Set<number>();
    const begun = queue.begin(START).then((version) => pinned.add(version));
    strictEqual(await queue.collect(() => pinned), false);
    await begun;
    deepStrictEqual(await indexedChunks(store), [[1, 0]]);
    pinned.clear();
    while (await queue.collect(() => pinned));
    deepStrictEqual(await indexedChunks(store), []);
  });
});

Deno.test("collect() removes many small versions in one step", async () => {
  await withQueue(async (queue, store) => {
    for (let count = 0; count < 20; count++) {
      const version = await queue.begin(START);
      await queue.append({ ...START, version, from: 0, chunks: CHUNKS.slice(0, 1) });
    }
    strictEqual((await indexedChunks(store)).length, 20);
    strictEqual(await queue.collect(() => []), true);
    deepStrictEqual(await indexedChunks(store), []);
    strictEqual(await queue.collect(() => []), false);
    deepStrictEqual(await store.read((db) => db.all(sql`select seq from chunks`)), []);
  });
});

Deno.test("close() completes the queued batches and rejects any later ones", async () => {
  await withQueue(async (queue, store) => {
    const begun = queue.begin(START);
    await queue.close();
    strictEqual(await begun, 1);
    await rejects(queue.merge(true), /closed/);
    strictEqual((await indexedChunks(store)).length, 1);
  });
});
