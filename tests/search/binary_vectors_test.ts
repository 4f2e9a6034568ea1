/** Checks BinaryVectors against counting bit by bit, for all widths and row counts. */

import { deepStrictEqual } from "node:assert/strict";
import { BinaryVectors } from "../../src/search/vectors/binary_vectors.ts";
import { fc } from "../../testing/fast_check.ts";

/** Rows of the same width, some of them equal, in batches, plus a query. */
const SCENARIOS = fc.constantFrom(8, 16, 24, 48, 136, 1_000).chain((width) => {
  const row = fc.uint8Array({ minLength: width, maxLength: width });
  return fc.record({
    width: fc.constant(width),
    batches: fc.uniqueArray(row, { minLength: 1, maxLength: 4 }).chain((rows) =>
      fc.array(fc.array(fc.constantFrom(...rows), { maxLength: 60 }), { maxLength: 4 })
    ),
    query: row,
    count: fc.nat(200),
  });
});

function concatenate(rows: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(rows.flatMap((row) => [...row]));
}

function distance(a: Uint8Array, b: Uint8Array): number {
  let ones = 0;
  for (const [at, byte] of a.entries()) {
    for (let bits = byte ^ b[at]!; bits !== 0; bits >>= 1) ones += bits & 1;
  }
  return ones;
}

/** Returns the rows nearest to the query, nearest first, including any tied with the last one. */
function nearest(distances: readonly number[], rows: readonly number[], count: number): number[] {
  const sorted = rows.toSorted((a, b) => distances[a]! - distances[b]!);
  const last = sorted[Math.min(count, sorted.length) - 1];
  return sorted.filter((row) => last !== undefined && distances[row]! <= distances[last]!);
}

Deno.test("BinaryVectors.nearest() returns rows by distance, from all rows or from the listed ones", () => {
  fc.assert(fc.property(SCENARIOS, fc.infiniteStream(fc.nat()), (scenario, random) => {
    const { width, batches, query, count } = scenario;
    const rows = new BinaryVectors(width);
    const distances: number[] = [];
    for (const batch of batches) {
      rows.add(concatenate(batch));
      for (const row of batch) distances.push(distance(query, row));
      const all = [...distances.keys()];
      deepStrictEqual([...rows.nearest(query, count, null)], nearest(distances, all, count));
      deepStrictEqual(
        [...rows.nearestInRowOrder(query, count)],
        nearest(distances, all, count).toSorted((a, b) => a - b),
      );
      const listed = all.flatMap((row) => random.next().value % 3 === 0 ? [row] : []).reverse();
      deepStrictEqual(
        [...rows.nearest(query, count, Int32Array.from(listed))],
        nearest(distances, listed, count),
      );
    }
  }));
});

Deno.test("BinaryVectors.addPrefixes() copies the prefix of every row, even after rows were added", () => {
  fc.assert(fc.property(SCENARIOS, ({ width, batches, query, count }) => {
    const half = Math.ceil(width / 16) * 8;
    const [rows, halves, expected] = [
      new BinaryVectors(width),
      new BinaryVectors(half),
      new BinaryVectors(half),
    ];
    for (const batch of batches) {
      rows.add(concatenate(batch));
      expected.add(concatenate(batch.map((row) => row.subarray(0, half))));
      halves.addPrefixes(rows);
      const prefix = query.subarray(0, half);
      deepStrictEqual(halves.nearest(prefix, count, null), expected.nearest(prefix, count, null));
    }
  }));
});

/** Creates eight-byte rows at the given distances from an all-zero query. */
function rowsAt(distances: readonly number[]): BinaryVectors {
  const bits = new BigUint64Array(distances.length);
  for (const [at, distance] of distances.entries()) bits[at] = (1n << BigInt(distance)) - 1n;
  const rows = new BinaryVectors(8);
  rows.add(new Uint8Array(bits.buffer));
  return rows;
}

/** More rows than fit into a few scan batches. */
const ROWS = 10_000;
const WANTED = 100;

const ORDERS: Readonly<Record<string, (row: number) => number>> = {
  "come first": (row) => Math.floor(row / 200),
  "come last": (row) => Math.floor((ROWS - row) / 200),
  "are the last batch's": (row) => row < ROWS - WANTED ? 41 : row % 7,
  "are all equally near": () => 3,
  "are spread evenly": (row) => Math.imul(row, 0x9e3779b1) >>> 26,
};

for (const [order, distanceOf] of Object.entries(ORDERS)) {
  Deno.test(`BinaryVectors.nearest() finds the nearest of many rows if they ${order}`, () => {
    const distances = Array.from({ length: ROWS }, (_, row) => distanceOf(row));
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
