/** Sorting piece by piece comes to what sorting all at once does. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { partialSort } from "../../src/search/ranking/partial_sort.ts";
import { fc } from "../../testing/fast_check.ts";

/** Few worths, so that many items are equally good. */
const ITEMS = fc.array(fc.record({ worth: fc.integer({ min: -3, max: 3 }), seq: fc.nat() }));

Deno.test("the pieces together are all items, best first, the later of equally good ones first", () => {
  fc.assert(fc.property(ITEMS, fc.integer({ min: 1, max: 20 }), (items, size) => {
    const pieces = [...partialSort(items, size, ({ worth }) => worth)];
    const sorted = items.toSorted((a, b) => b.worth - a.worth || b.seq - a.seq);
    deepStrictEqual(pieces.flat(), sorted);
  }));
});

Deno.test("a piece holds as many as were asked for, as long as there are so many", () => {
  fc.assert(fc.property(ITEMS, fc.integer({ min: 1, max: 20 }), (items, size) => {
    const pieces = [...partialSort(items, size, ({ worth }) => worth)];
    ok(pieces.slice(0, -1).every((piece) => piece.length >= size));
  }));
});
