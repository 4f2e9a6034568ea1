/** Checks sorting in batches against sorting everything at once. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { partialSort } from "../../src/search/ranking/partial_sort.ts";
import { fc } from "../../testing/fast_check.ts";

/** A narrow range of scores, so that many items are tied. */
const ITEMS = fc.array(fc.record({ score: fc.integer({ min: -3, max: 3 }), seq: fc.nat() }));

Deno.test("partialSort() yields all items with the best first, and the latest first among equals", () => {
  fc.assert(fc.property(ITEMS, fc.integer({ min: 1, max: 20 }), (items, size) => {
    const batches = [...partialSort(items, size, ({ score }) => score)];
    const sorted = items.toSorted((a, b) => b.score - a.score || b.seq - a.seq);
    deepStrictEqual(batches.flat(), sorted);
  }));
});

Deno.test("partialSort() yields batches of at least the requested size, except for the last", () => {
  fc.assert(fc.property(ITEMS, fc.integer({ min: 1, max: 20 }), (items, size) => {
    const batches = [...partialSort(items, size, ({ score }) => score)];
    ok(batches.slice(0, -1).every((batch) => batch.length >= size));
  }));
});
