/** Rows of sign bits are found as counting bit by bit finds them, whatever their width and number. */

import { deepStrictEqual } from "node:assert/strict";
import { SignRows } from "../../src/search/sign_rows.ts";
import { fc } from "../properties.ts";

/** Rows of one width, of which some are alike, in the pieces in which they come; and a query. */
const SCENES = fc.constantFrom(8, 16, 24, 48, 136, 1_000).chain((width) => {
  const row = fc.uint8Array({ minLength: width, maxLength: width });
  return fc.record({
    width: fc.constant(width),
    pieces: fc.uniqueArray(row, { minLength: 1, maxLength: 4 }).chain((rows) =>
      fc.array(fc.array(fc.constantFrom(...rows), { maxLength: 20 }), { maxLength: 4 })
    ),
    query: row,
    count: fc.nat(70),
  });
});

function joined(rows: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(rows.flatMap((row) => [...row]));
}

function distance(a: Uint8Array, b: Uint8Array): number {
  let ones = 0;
  for (const [at, byte] of a.entries()) {
    for (let bits = byte ^ b[at]!; bits !== 0; bits >>= 1) ones += bits & 1;
  }
  return ones;
}

/** Of numbers of rows the nearest ones, nearest first, and those as near as the last of them. */
function nearest(distances: readonly number[], among: readonly number[], count: number): number[] {
  const sorted = among.toSorted((a, b) => distances[a]! - distances[b]!);
  const last = sorted[Math.min(count, sorted.length) - 1];
  return sorted.filter((row) => last !== undefined && distances[row]! <= distances[last]!);
}

Deno.test("the nearest rows are found in order, of all and of those listed", () => {
  fc.assert(fc.property(SCENES, fc.infiniteStream(fc.nat()), (scene, chance) => {
    const { width, pieces, query, count } = scene;
    const rows = new SignRows(width);
    const distances: number[] = [];
    for (const piece of pieces) {
      rows.add(joined(piece));
      for (const row of piece) distances.push(distance(query, row));
      const all = [...distances.keys()];
      deepStrictEqual([...rows.nearest(query, count, null)], nearest(distances, all, count));
      deepStrictEqual(
        [...rows.nearestInPlace(query, count)],
        nearest(distances, all, count).toSorted((a, b) => a - b),
      );
      const listed = all.flatMap((row) => chance.next().value % 3 === 0 ? [row] : []).reverse();
      deepStrictEqual(
        [...rows.nearest(query, count, Int32Array.from(listed))],
        nearest(distances, listed, count),
      );
    }
  }));
});

Deno.test("rows of beginnings hold those of every row, as more rows come", () => {
  fc.assert(fc.property(SCENES, ({ width, pieces, query, count }) => {
    const half = Math.ceil(width / 16) * 8;
    const [rows, halves, expected] = [new SignRows(width), new SignRows(half), new SignRows(half)];
    for (const piece of pieces) {
      rows.add(joined(piece));
      expected.add(joined(piece.map((row) => row.subarray(0, half))));
      halves.addBeginnings(rows);
      const asked = query.subarray(0, half);
      deepStrictEqual(halves.nearest(asked, count, null), expected.nearest(asked, count, null));
    }
  }));
});
