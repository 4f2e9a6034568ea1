/** The matrix of sign bits finds what a plain count of differing bits finds. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { SignMatrix } from "../../src/search/sign_matrix.ts";
import { SeededRandom } from "../random.ts";

const WIDTH = 48;

function bytes(random: SeededRandom, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => random.below(256));
}

function distance(a: Uint8Array, b: Uint8Array): number {
  return a.reduce(
    (sum, byte, at) => sum + (byte ^ b[at]!).toString(2).replaceAll("0", "").length,
    0,
  );
}

Deno.test("nearest() gives the rows with the fewest differing bits, nearest first", () => {
  const random = new SeededRandom(7);
  const count = 40_000;
  const rows = bytes(random, count * WIDTH);
  const query = bytes(random, WIDTH);
  const matrix = new SignMatrix(WIDTH);
  // In pieces, so that it has to grow.
  for (let from = 0; from < count; from += 9_999) {
    const to = Math.min(count, from + 9_999);
    const seqs = Array.from({ length: to - from }, (_, index) => from + index + 1);
    matrix.add(seqs, rows.subarray(from * WIDTH, to * WIDTH));
  }
  strictEqual(matrix.rows, count);
  const distanceOf = (seq: number) =>
    distance(query, rows.subarray((seq - 1) * WIDTH, seq * WIDTH));
  const expected = Array.from({ length: count }, (_, index) => distanceOf(index + 1))
    .sort((a, b) => a - b).slice(0, 100);
  deepStrictEqual(matrix.nearest(query, 100, null).map(distanceOf), expected);
  const allowed = new Set([5, 70, 30_000]);
  deepStrictEqual(new Set(matrix.nearest(query, 100, allowed)), allowed);
});

Deno.test("a memory with several rows is found once, an empty matrix finds nothing", () => {
  const matrix = new SignMatrix(WIDTH);
  const query = new Uint8Array(WIDTH);
  deepStrictEqual(matrix.nearest(query, 10, null), []);
  matrix.add([3, 3], new Uint8Array(2 * WIDTH));
  deepStrictEqual(matrix.nearest(query, 10, null), [3]);
});
