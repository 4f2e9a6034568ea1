/**
 * Checks that the WebAssembly kernels match their source, and covers cases a search rarely hits.
 */

import { deepStrictEqual, ok } from "node:assert/strict";
import { compileKernels } from "../../scripts/build_wasm.ts";
import { KERNELS_BASE64 } from "../../src/search/vectors/kernels_wasm.ts";
import { createScan } from "../../src/search/vectors/wasm_kernels.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";

Deno.test("compileKernels() returns the same bytes as in the repository", async () => {
  const bytes = (await compileKernels("src/search/vectors/kernels")).toBase64();
  ok(bytes === KERNELS_BASE64, "kernels_wasm.ts is out of date: run deno task wasm");
});

Deno.test("createScan() finds the rows within the limit, for every width", () => {
  const [rowCount, query, rows] = [40, 0, 1_024];
  const random = new SeededRandom(1);
  for (let words = 1; words <= 65; words++) {
    const width = 8 * words;
    const [list, out] = [rows + rowCount * width, rows + rowCount * (width + 4)];
    const memory = new WebAssembly.Memory({ initial: 1 });
    const bytes = new Uint8Array(memory.buffer);
    for (let at = 0; at < list; at++) bytes[at] = random.below(256);
    const order = Array.from({ length: rowCount }, (_, at) => at * 7 % rowCount);
    new Int32Array(memory.buffer, list, rowCount).set(order.map((row) => rows + row * width));
    const distanceOf = (row: number) => {
      let distance = 0;
      for (let at = 0; at < width; at++) {
        distance += popcount(bytes[query + at]! ^ bytes[rows + row * width + at]!);
      }
      return distance;
    };
    const limit = width * 4;
    const pairs = (distances: number[]) =>
      distances.flatMap((distance, index) => distance < limit ? [index, distance] : []);
    const distances = Array.from({ length: rowCount }, (_, row) => distanceOf(row));
    const found = (end: number) => [...new Int32Array(memory.buffer, out, (end - out) / 4)];
    deepStrictEqual(
      found(createScan(memory, width, false)(query, rows, out, rowCount, limit)),
      pairs(distances),
    );
    deepStrictEqual(
      found(createScan(memory, width, true)(query, list, out, rowCount, limit)),
      pairs(order.map((row) => distances[row]!)),
    );
  }
});

function popcount(byte: number): number {
  return byte.toString(2).replaceAll("0", "").length;
}

Deno.test("createScan() handles rows and results beyond 2 GiB", () => {
  const [page, far, query] = [65_536, 2 ** 31, 8];
  const memory = new WebAssembly.Memory({ initial: far / page + 1 });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set([0xff, 0x0f], query);
  bytes.set([0xff, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0xff], far);
  const [list, out] = [far + 24, far + 48];
  new Int32Array(memory.buffer, list, 3).set([far, far + 8, far + 16]);
  const found = (end: number) => [...new Int32Array(memory.buffer, out, (end - out) / 4)];
  deepStrictEqual(found(createScan(memory, 8, false)(query, far, out, 3, 5)), [0, 0, 2, 4]);
  deepStrictEqual(found(createScan(memory, 8, true)(query, list, out, 3, 13)), [0, 0, 2, 4]);
});
