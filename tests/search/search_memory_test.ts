/** Tests how the memory for searches is divided between the search workers. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { divideSearchMemory, missingMemory } from "../../src/search/search_memory.ts";

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
    strictEqual(missingMemory(900_000, DIMS, divideSearchMemory(DEFAULT_BYTES, cores)), null);
  }
});

Deno.test("missingMemory() returns a limit that suffices, and so do higher ones", () => {
  for (const cores of [1, 2, 4, 64]) {
    for (const bytes of [0, 2 ** 20, DEFAULT_BYTES / 4, DEFAULT_BYTES]) {
      for (const records of [10_000, 500_000, 1_000_000, 10_000_000]) {
        const limit = missingMemory(records, DIMS, divideSearchMemory(bytes, cores));
        if (limit === null) continue;
        ok(limit > bytes);
        for (const factor of [1, 1.1, 1.5, 2, 10]) {
          const memory = divideSearchMemory(factor * limit, cores);
          strictEqual(missingMemory(records, DIMS, memory), null, `${cores} ${bytes} ${records}`);
        }
      }
    }
  }
});
