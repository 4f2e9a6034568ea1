/** applyBatch(): models in a search copy. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { applyBatch, findOldModel } from "../../src/copies/apply.ts";
import { COPY_START, type CopyBatch } from "../../src/copies/feed.ts";
import type { EmbeddingModel } from "../../src/embedding/embedder.ts";
import {
  activateModel,
  listModels,
  registerModel,
  removeModelBatch,
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
        const gone = await copy.read(findOldModel);
        strictEqual(gone?.dims, gone && (dims === 2 ? 3 : 2));
        if (gone) await copy.write("maintenance", (tx) => removeModelBatch(tx, gone, 0, 1));
        deepStrictEqual(await copy.read(listModels), models);
      }
    });
  });
});
