/** Checks term masks against searching for each term. */

import { deepStrictEqual } from "node:assert/strict";
import { TermMaskTable } from "../../src/search/threads/thread_window.ts";
import { fc } from "../../testing/fast_check.ts";

/** Hashes, many of them equal or ending in the same bits. */
const HASH = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.nat(3).map((value) => value * 256),
  fc.nat(40).map((value) => (value << 8 | 0xff) >>> 0),
);

Deno.test("TermMaskTable.maskOf() sets the bit for each term that a memory contains, and no other bits", () => {
  const terms = fc.array(HASH, { maxLength: 31 });
  fc.assert(
    fc.property(terms, fc.array(HASH), fc.nat(100), (queryHashes, memoryHashes, skipped) => {
      const hashes = Uint32Array.from([
        ...memoryHashes,
        ...queryHashes.filter((_, at) => at % 3 === 0),
      ]);
      const [from, to] = [Math.min(skipped, hashes.length), hashes.length];
      const mask = new TermMaskTable(queryHashes.map((hash) => ({ hash }))).maskOf(
        hashes,
        from,
        to,
      );
      const present = new Set(hashes.subarray(from, to));
      deepStrictEqual(
        queryHashes.map((_, bit) => (mask & 1 << bit) !== 0),
        queryHashes.map((hash) => present.has(hash)),
      );
    }),
  );
});
