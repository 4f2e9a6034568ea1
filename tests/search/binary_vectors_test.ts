/** Rows of sign bits are found as counting bit by bit finds them, whatever their width and number. */

import { deepStrictEqual } from "node:assert/strict";
import { BinaryVectors } from "../../src/search/vectors/binary_vectors.ts";
import { fc } from "../../testing/fast_check.ts";

/**
 * Rows of one width, of which some are alike, in the pieces in which they come; and a query. Where
 * more than some are wanted, a sample is looked at first.
 */
const SCENES = fc.constantFrom(8, 16, 24, 48, 136, 1_000).chain((width) => {
  const row = fc.uint8Array({ minLength: width, maxLength: width });
  return fc.record({
    width: fc.constant(width),
    pieces: fc.uniqueArray(row, { minLength: 1, maxLength: 4 }).chain((rows) =>
      fc.array(fc.array(fc.constantFrom(...rows), { maxLength: 60 }), { maxLength: 4 })
    ),
    query: row,
    count: fc.nat(200),
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
    const rows = new BinaryVectors(width);
    const distances: number[] = [];
    for (const piece of pieces) {
      rows.add(joined(piece));
      for (const row of piece) distances.push(distance(query, row));
      const all = [...distances.keys()];
      deepStrictEqual([...rows.nearest(query, count, null)], nearest(distances, all, count));
      deepStrictEqual(
        [...rows.nearestInRowOrder(query, count)],
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
    const [rows, halves, expected] = [
      new BinaryVectors(width),
      new BinaryVectors(half),
      new BinaryVectors(half),
    ];
    for (const piece of pieces) {
      rows.add(joined(piece));
      expected.add(joined(piece.map((row) => row.subarray(0, half))));
      halves.addPrefixes(rows);
      const asked = query.subarray(0, half);
      deepStrictEqual(halves.nearest(asked, count, null), expected.nearest(asked, count, null));
    }
  }));
});

/** Rows of eight bytes, each with so many bits set as it differs from a query without any. */
function rowsAt(distances: readonly number[]): BinaryVectors {
  const bits = new BigUint64Array(distances.length);
  for (const [at, distance] of distances.entries()) bits[at] = (1n << BigInt(distance)) - 1n;
  const rows = new BinaryVectors(8);
  rows.add(new Uint8Array(bits.buffer));
  return rows;
}

/** More than are looked at together. */
const MANY = 70_000;
const WANTED = 100;

/** Every so many rows of which a sample for so many consists. */
const STEP = 4;

const MISLED: Readonly<Record<string, (row: number) => number>> = {
  "holds the nearest and nothing else": (row) => row % STEP === 0 && row < 50 * STEP ? 0 : 40,
  "holds few of the nearest": (row) => row % STEP === 0 ? 41 : row % 40 === 1 ? 2 : 40,
  "holds none of the nearest": (row) => row % STEP === 0 ? 41 : row % 7,
  "holds rows that are all as near as any": () => 3,
  "is as all rows are": (row) => Math.imul(row, 0x9e3779b1) >>> 26,
};

for (const [sample, distanceOf] of Object.entries(MISLED)) {
  Deno.test(`the nearest of a great many rows are found when the sample ${sample}`, () => {
    const distances = Array.from({ length: MANY }, (_, row) => distanceOf(row));
    const [rows, query] = [rowsAt(distances), new Uint8Array(8)];
    const all = [...distances.keys()];
    const expected = Int32Array.from(nearest(distances, all, WANTED));
    deepStrictEqual(rows.nearest(query, WANTED, null), expected);
    deepStrictEqual(rows.nearestInRowOrder(query, WANTED), expected.toSorted());
    const listed = all.toReversed();
    deepStrictEqual(
      rows.nearest(query, WANTED, Int32Array.from(listed)),
      Int32Array.from(nearest(distances, listed, WANTED)),
    );
  });
}
