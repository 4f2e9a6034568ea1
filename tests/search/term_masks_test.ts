/** Which terms of a query a memory has is what looking for each of them tells. */

import { deepStrictEqual } from "node:assert/strict";
import { TermMaskTable } from "../../src/search/threads/thread_window.ts";
import { fc } from "../../testing/fast_check.ts";

/** Hashes, many of them alike in their last bits, or altogether. */
const HASH = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.nat(3).map((each) => each * 256),
  fc.nat(40).map((each) => (each << 8 | 0xff) >>> 0),
);

Deno.test("a mask has the bit of each term whose hash a memory has, and no other", () => {
  const terms = fc.array(HASH, { maxLength: 31 });
  fc.assert(fc.property(terms, fc.array(HASH), fc.nat(100), (asked, known, skipped) => {
    const hashes = Uint32Array.from([...known, ...asked.filter((_, at) => at % 3 === 0)]);
    const [from, to] = [Math.min(skipped, hashes.length), hashes.length];
    const mask = new TermMaskTable(asked.map((hash) => ({ hash }))).maskOf(hashes, from, to);
    const held = new Set(hashes.subarray(from, to));
    deepStrictEqual(
      asked.map((_, bit) => (mask & 1 << bit) !== 0),
      asked.map((hash) => held.has(hash)),
    );
  }));
});
