/** Slices are written by a thread, one after the other, and everybody else goes on. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { prepareChunks } from "../../src/documents/prepare.ts";
import { ChunkBatchQueue } from "../../src/documents/chunk_batch_queue.ts";
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
const OPENING = { project: 1, title: "Guide", tags: ["user_id=ana"], content: CONTENT };

async function withSlices(work: (slices: ChunkBatchQueue, store: SqliteStore) => Promise<void>) {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const slices = new ChunkBatchQueue(store, store.path);
  try {
    await work(slices, store);
  } finally {
    await slices.close();
    await store.close();
    await rm(directory);
  }
}

/** How much is indexed of each version that has no row. */
async function indexed(store: SqliteStore): Promise<[version: number, chunks: number][]> {
  const rows = await store.read((db) =>
    db.all<{ version: number; indexed: number }>(
      sql`select version, indexed from retired_versions order by version`,
    )
  );
  return rows.map(({ version, indexed }) => [version, indexed]);
}

Deno.test("slices are on disk when they are answered, in the order in which they were asked for", async () => {
  await withSlices(async (slices, store) => {
    const filling = { ...OPENING, version: 1, chunks: CHUNKS.slice(0, 10) };
    const [version, ...there] = await Promise.all([
      slices.begin(OPENING),
      slices.append({ ...filling, from: 0 }),
      slices.append({ ...filling, from: 10 }),
    ]);
    deepStrictEqual([version, ...there], [1, true, true]);
    deepStrictEqual(await indexed(store), [[1, 20]]);
    strictEqual(await slices.append({ ...filling, from: 10 }), false, "these are there already");
  });
});

Deno.test("what is held by the time of its turn is not cleared", async () => {
  await withSlices(async (slices, store) => {
    const held = new Set<number>();
    const opening = slices.begin(OPENING).then((version) => held.add(version));
    strictEqual(await slices.collect(() => held), false);
    await opening;
    deepStrictEqual(await indexed(store), [[1, 0]]);
    held.clear();
    while (await slices.collect(() => held));
    deepStrictEqual(await indexed(store), []);
  });
});

Deno.test("a step clears as many small versions as there are", async () => {
  await withSlices(async (slices, store) => {
    for (let count = 0; count < 20; count++) {
      const version = await slices.begin(OPENING);
      await slices.append({ ...OPENING, version, from: 0, chunks: CHUNKS.slice(0, 1) });
    }
    strictEqual((await indexed(store)).length, 20);
    strictEqual(await slices.collect(() => []), true);
    deepStrictEqual(await indexed(store), []);
    strictEqual(await slices.collect(() => []), false);
    deepStrictEqual(await store.read((db) => db.all(sql`select seq from chunks`)), []);
  });
});

Deno.test("closing finishes what was asked for, and refuses the rest", async () => {
  await withSlices(async (slices, store) => {
    const opening = slices.begin(OPENING);
    await slices.close();
    strictEqual(await opening, 1);
    await rejects(slices.merge(true), /closed/);
    strictEqual((await indexed(store)).length, 1);
  });
});
