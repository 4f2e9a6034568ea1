/** Tests how the memory for searches is divided between the search workers. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { divideSearchMemory, minVectorBytes } from "../../src/search/search_memory.ts";

const DEFAULT_BYTES = 640 * 2 ** 20;
const DIMS = 384;

Deno.test("divideSearchMemory() uses all cores but one, as long as each worker has enough memory", () => {
  const workersOn = (bytes: number) =>
    [1, 2, 3, 4, 8, 64].map((cores) => divideSearchMemory(bytes, cores).workers);
  deepStrictEqual(workersOn(DEFAULT_BYTES), [1, 1, 2, 3, 7, 7]);
  deepStrictEqual(workersOn(DEFAULT_BYTES / 4), [1, 1, 2, 2, 2, 2]);
  deepStrictEqual(workersOn(0), [1, 1, 1, 1, 1, 1]);
});

Deno.test("divideSearchMemory() leaves each worker room for a project of 900,000 memories by default", () => {
  for (const cores of [1, 2, 8, 16, 64]) {
    ok(minVectorBytes(900_000, DIMS) < 0.8 * divideSearchMemory(DEFAULT_BYTES, cores).workerBytes);
  }
});
