/** Checks VectorMatrix against plain counting and multiplication. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  cosineSimilarity,
  quantize,
  quantizeQuery,
  toSignBits,
} from "../../src/embedding/quantize.ts";
import { VectorMatrix } from "../../src/search/vectors/vector_matrix.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";

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

Deno.test("VectorMatrix.nearest() returns the rows with the fewest differing bits, nearest first", () => {
  const random = new SeededRandom(7);
  const count = 30_000;
  const rows = bytes(random, count * WIDTH);
  const query = bytes(random, WIDTH);
  const matrix = new VectorMatrix(WIDTH * 8);
  // Added in batches, so that the matrix has to grow.
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
  const allowed = [5, 70, 29_999];
  deepStrictEqual(matrix.nearest(query, 100, allowed).sort((a, b) => a - b), allowed);
});

Deno.test("VectorMatrix.nearest() finds the nearest of many rows after preselecting by half of the bits", () => {
  const random = new SeededRandom(13);
  const [count, near] = [60_000, 40];
  const rows = bytes(random, count * WIDTH);
  const query = bytes(random, WIDTH);
  const matrix = new VectorMatrix(WIDTH * 8);
  const planted = Array.from({ length: near }, (_, index) => 1 + index * 1_487);
  for (const [index, seq] of planted.entries()) {
    const row = query.slice();
    for (let bit = 0; bit <= index; bit++) row[random.below(WIDTH)]! ^= 1 << random.below(8);
    rows.set(row, (seq - 1) * WIDTH);
  }
  matrix.add(Array.from({ length: count }, (_, index) => index + 1), rows);
  const distanceOf = (seq: number) =>
    distance(query, rows.subarray((seq - 1) * WIDTH, seq * WIDTH));
  const found = matrix.nearest(query, near, null);
  deepStrictEqual(found.toSorted((a, b) => a - b), planted);
  deepStrictEqual(found.map(distanceOf), planted.map(distanceOf).sort((a, b) => a - b));
});

Deno.test("VectorMatrix.nearest() returns a memory with several rows only once, and nothing if the matrix is empty", () => {
  const matrix = new VectorMatrix(WIDTH * 8);
  const query = new Uint8Array(WIDTH);
  deepStrictEqual(matrix.nearest(query, 10, null), []);
  matrix.add([3, 3], new Uint8Array(2 * WIDTH));
  deepStrictEqual(matrix.nearest(query, 10, null), [3]);
});

Deno.test("VectorMatrix.computeSimilarities() agrees with the plain loop for all dimensions", () => {
  const random = new SeededRandom(11);
  for (const dims of [384, 100, 1_024, 7]) {
    const draw = () => Float32Array.from({ length: dims }, () => random.next() - 0.5);
    const matrix = new VectorMatrix(dims);
    const vectors = Array.from({ length: 300 }, draw);
    for (const [at, vector] of vectors.entries()) {
      matrix.add([at + 1], toSignBits(vector, null));
      if (at % 3 > 0) matrix.fill([at + 1], new Int8Array(quantize(vector).buffer));
    }
    const query = quantizeQuery(draw());
    const computeSimilarities = (seqs: readonly number[]) => {
      const similarities = new Float64Array(seqs.length).fill(NaN);
      return { similarities, missing: matrix.computeSimilarities(query, seqs, similarities) };
    };
    const seqs = vectors.map((_, at) => at + 1);
    const { similarities, missing } = computeSimilarities([...seqs, 9_999]);
    deepStrictEqual(missing, [...seqs.keys()].filter((at) => at % 3 === 0));
    for (const [at, vector] of vectors.entries()) {
      const expected = at % 3 === 0 ? NaN : cosineSimilarity(query, quantize(vector));
      strictEqual(similarities[at], expected);
    }
    strictEqual(similarities[seqs.length], NaN);
    matrix.delete(2);
    deepStrictEqual([...computeSimilarities([2, 3]).similarities].map(Number.isFinite), [
      false,
      true,
    ]);
  }
});
