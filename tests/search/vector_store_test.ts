/** Tests how vectors are stored and removed. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import type { EmbeddingModel } from "../../src/embedding/embedder.ts";
import {
  activateModel,
  advanceModel,
  insertVectors,
  journalEnd,
  type JournalPart,
  listModels,
  type ModelRow,
  readJournalBatch,
  registerModel,
  removeModelBatch,
} from "../../src/search/vectors/vector_store.ts";
import type { Store } from "../../src/store/store.ts";
import { withStore } from "../store/with_store.ts";

const LIMITS = { entries: 100, texts: 100 };

function model(id: string): EmbeddingModel {
  const similarity = { none: 0, same: 1 };
  return {
    id,
    dims: 2,
    weight: { memories: 1, documents: 1 },
    similarity: { memories: similarity, documents: similarity },
    center: null,
  };
}

/** Adds a project with memories, numbered from 1. */
async function addMemories(store: Store, count: number): Promise<void> {
  await store.write("rows", async (tx) => {
    await tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'a', 'a', '')`);
    for (let seq = 1; seq <= count; seq++) {
      const id = `mem_${seq}`;
      await tx.run(sql`insert into memories
        (seq, project, id, memory_type, importance, created_at, updated_at, terms, memory)
        values (${seq}, 1, ${id}, 'fact', 0.5, '', '', x'', ${id})`);
      await tx.run(sql`insert into journal (project, kind, record_id, change, at)
        values (1, 'memory', ${id}, 'ADD', '')`);
    }
  });
}

/** Adds a project with documents of these numbers of chunks. Chunks are numbered from 1. */
async function addDocuments(store: Store, chunkCounts: readonly number[]): Promise<void> {
  await store.write("rows", async (tx) => {
    await tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'a', 'a', '')`);
    for (const [index, chunks] of chunkCounts.entries()) {
      const id = `doc_${index}`;
      const version = await tx.insert(sql`insert into document_versions (project, id, source_key,
        is_head, content_hash, version_hash, title, mime_type, metadata, size_bytes, chunks, terms,
        chunker_version, chunked_as, created_at) values (1, ${id}, ${id}, 1, '', '', 'Title',
        'text/plain', '{}', 1, ${chunks}, 1, 1, '', '')`);
      for (let position = 0; position < chunks; position++) {
        await tx.run(sql`insert into chunks
          (project, version, position, start_byte, end_byte, heading_path, content)
          values (1, ${version}, ${position}, 0, 1, '[]', 'text')`);
      }
      await tx.run(sql`insert into journal (project, kind, record_id, change, at)
        values (1, 'document', ${id}, 'ADD', '')`);
    }
  });
}

/** Embeds all texts that have no vector, from the model's position on. Returns their numbers. */
async function embed(store: Store, row: ModelRow): Promise<number[]> {
  const part = { after: row.position, last: await store.journalEnd() };
  const { missing } = await store.read((db) => readJournalBatch(db, row, part, LIMITS));
  const embedded = missing.map((text) => ({ ...text, vector: Float32Array.of(1, 0) }));
  await store.write(1, (tx) => insertVectors(tx, row, embedded, null));
  await store.write("maintenance", async (tx) => advanceModel(tx, row, await journalEnd(tx)));
  return missing.map(({ seq }) => seq).sort((a, b) => a - b);
}

const register = (store: Store, id: string) =>
  store.write("maintenance", (tx) => registerModel(tx, model(id)));

async function modelsWithVectors(store: Store): Promise<number[]> {
  const rows = await store.read((db) =>
    db.all<{ model: number }>(sql`select distinct model from vectors order by model`)
  );
  return rows.map((row) => row.model);
}

Deno.test("readJournalBatch() reads few documents at once, from either end, and skips embedded chunks", async () => {
  await withStore(async (store) => {
    await addDocuments(store, [2, 50, 150, 1]);
    const row = await register(store, "a");
    const read = (part: JournalPart, newestFirst: boolean) =>
      store.read(async (db) => {
        const batch = await readJournalBatch(db, row, part, { ...LIMITS, newestFirst });
        return [batch.read.after, batch.read.last, ...ends(batch.missing.map(({ seq }) => seq))];
      });
    deepStrictEqual(await read({ after: 0, last: 4 }, false), [0, 2, 1, 52]);
    deepStrictEqual(await read({ after: 2, last: 4 }, false), [2, 3, 53, 152]);
    deepStrictEqual(await read({ after: 0, last: 4 }, true), [3, 4, 203, 203]);
    deepStrictEqual(await read({ after: 0, last: 3 }, true), [2, 3, 202, 103]);
    deepStrictEqual(await read({ after: 0, last: 2 }, true), [0, 2, 52, 1]);
    await embed(store, { ...row, position: 2 });
    deepStrictEqual(await read({ after: 2, last: 4 }, false), [2, 3, 153, 202]);
  });
});

/** Returns the first and the last item. */
function ends(items: readonly number[]): (number | undefined)[] {
  return [items[0], items.at(-1)];
}

Deno.test("insertVectors() rejects vectors of another model", async () => {
  await withStore(async (store) => {
    await addMemories(store, 1);
    const row = await register(store, "a");
    const text = { project: 1, kind: 0, seq: 1, text: "mem_1" } as const;
    const embedded = [{ ...text, vector: Float32Array.of(1, 0, 0) }];
    await rejects(store.write(1, (tx) => insertVectors(tx, row, embedded, null)), RangeError);
    deepStrictEqual(await modelsWithVectors(store), []);
  });
});

Deno.test("removeModelBatch() leaves a model behind that embeds all texts again if it's stopped", async () => {
  await withStore(async (store) => {
    await addMemories(store, 5);
    const removed = await register(store, "a");
    deepStrictEqual(await embed(store, removed), [1, 2, 3, 4, 5]);
    await store.write("maintenance", (tx) => removeModelBatch(tx, removed, 0, 2));
    deepStrictEqual(await embed(store, await register(store, "a")), [1, 2]);
  });
});

Deno.test("removeModelBatch() removes one model in batches and keeps the others", async () => {
  await withStore(async (store) => {
    await addMemories(store, 5);
    const kept = await register(store, "kept");
    const removed = await register(store, "removed");
    await embed(store, kept);
    await embed(store, removed);
    let batches = 0;
    for (let after: number | null = 0; after !== null; batches++) {
      const from: number = after;
      after = await store.write("maintenance", (tx) => removeModelBatch(tx, removed, from, 3));
    }
    strictEqual(batches, 4);
    deepStrictEqual(await modelsWithVectors(store), [kept.number]);
    deepStrictEqual((await store.read(listModels)).map(({ id }) => id), ["kept"]);
  });
});

Deno.test("registerModel() leaves the vectors of other dimensions to removeModelBatch()", async () => {
  await withStore(async (store) => {
    await addMemories(store, 3);
    const before = await register(store, "m");
    await embed(store, before);
    await store.write("maintenance", (tx) => activateModel(tx, before));
    const after = await store.write(
      "maintenance",
      (tx) => registerModel(tx, { ...model("m"), dims: 3 }),
    );
    deepStrictEqual([after.id, after.dims, after.position, after.serving], ["m", 3, 0, 0]);
    const models = await store.read(listModels);
    deepStrictEqual(models.map(({ number, serving }) => [number, serving]), [
      [before.number, 0],
      [after.number, 0],
    ]);
    const count = sql`select count(*) as n from vectors where model = ${before.number}`;
    strictEqual((await store.queryOne<{ n: number }>(count))!.n, 3);
    await store.write("maintenance", (tx) => removeModelBatch(tx, before, 0, 100));
    strictEqual((await store.queryOne<{ n: number }>(count))!.n, 0);
    deepStrictEqual((await store.read(listModels)).map(({ id }) => id), ["m"]);
  });
});
