/** applyBatch(): models in a search copy. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { applyBatch, removeOldModels } from "../../src/copies/apply.ts";
import { COPY_START, type CopyBatch } from "../../src/copies/feed.ts";
import type { EmbeddingModel } from "../../src/embedding/embedder.ts";
import {
  activateModel,
  listModels,
  type ModelRow,
  registerModel,
} from "../../src/search/vectors/vector_store.ts";
import { withStore } from "../store/with_store.ts";

/** Models are the only change. */
const NO_CHANGE: CopyBatch = {
  position: COPY_START,
  more: false,
  entries: [],
  memories: [],
  ends: [],
  totals: [],
  documentTotals: undefined,
  heads: [],
  models: [],
  vectors: [],
  accesses: [],
};

const SIMILARITY = { none: 0, same: 1 };

const MODEL: EmbeddingModel = {
  id: "m",
  dims: 2,
  weight: { memories: 1, documents: 1 },
  similarity: { memories: SIMILARITY, documents: SIMILARITY },
  center: null,
};

Deno.test("applyBatch() copies models of which one has changed its dimensions", async () => {
  await withStore(async (records) => {
    await withStore(async (copy) => {
      for (const dims of [2, 3, 2]) {
        await records.write("maintenance", async (tx) => {
          await activateModel(tx, await registerModel(tx, { ...MODEL, dims }));
        });
        const models = await records.read(listModels);
        await copy.write("maintenance", (tx) => applyBatch(copy, tx, 1, { ...NO_CHANGE, models }));
        await removeOldModels(copy, () => false);
        deepStrictEqual(await copy.read(listModels), models);
      }
    });
  });
});

Deno.test("applyBatch() leaves the vectors of a removed model to removeOldModels()", async () => {
  await withStore(async (copy) => {
    const [old, current] = [1, 2].map((number) => ({
      ...{ number, id: "m", dims: 2, position: 0 },
      serving: 1,
    }));
    const apply = (models: readonly ModelRow[]) =>
      copy.write("maintenance", (tx) => applyBatch(copy, tx, 1, { ...NO_CHANGE, models }));
    const count = async () =>
      (await copy.read((db) => db.first<{ n: number }>(sql`select count(*) as n from vectors`)))!.n;
    await apply([old!]);
    await copy.write("rows", async (tx) => {
      await tx.run(sql`insert into memories
        (seq, project, id, memory, memory_type, importance, created_at, updated_at, terms)
        select value, 1, 'mem_' || value, '', 'fact', 0.5, '', '', x''
        from json_each(${JSON.stringify(Array.from({ length: 1_200 }, (_, index) => index + 1))})`);
      await tx.run(sql`insert into vectors (project, model, kind, seq, vector)
        select 1, 1, 0, seq, x'00' from memories`);
      await tx.run(sql`insert into vector_signs (project, model, kind, seq, signs)
        select 1, 1, 0, seq, x'00' from memories`);
    });
    await apply([current!]);
    strictEqual(await count(), 1_200, "the change itself deletes none");
    let batches = 0;
    await removeOldModels(copy, () => ++batches > 2);
    strictEqual(await count(), 200, "it stops between two batches");
    await removeOldModels(copy, () => false);
    strictEqual(await count(), 0);
    deepStrictEqual(await copy.read(listModels), [current]);
  });
});
