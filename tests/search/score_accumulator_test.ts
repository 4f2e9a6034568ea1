/** Checks sums and best records against those from a map and a sort. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ScoreAccumulator } from "../../src/search/lexical/score_accumulator.ts";
import { fc } from "../../testing/fast_check.ts";

/**
 * Posting lists with scores. Only a handful of scores are distinct, which makes many sums equal.
 */
const LISTS = fc.array(fc.record({
  seqs: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1 })), {
    maxLength: 40,
  }),
  score: fc.constantFrom(0.5, 1, 2),
}));

Deno.test("ScoreAccumulator.top() returns the greatest sums, and the latest first among equals", () => {
  const accumulator = new ScoreAccumulator();
  fc.assert(fc.property(LISTS, fc.nat(60), (lists, limit) => {
    accumulator.clear();
    const sums = new Map<number, number>();
    for (const { seqs, score } of lists) {
      accumulator.add(Uint32Array.from(seqs), score);
      for (const seq of seqs) sums.set(seq, (sums.get(seq) ?? 0) + score);
    }
    const sorted = [...sums].sort(([a, sum], [b, other]) => other - sum || b - a);
    strictEqual(accumulator.size, sums.size);
    deepStrictEqual(accumulator.top(limit), sorted.slice(0, limit).map(([seq]) => seq));
  }));
});

Deno.test("ScoreAccumulator.add() accepts more records than expected", () => {
  const seqs = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const accumulator = new ScoreAccumulator();
  for (const expected of [0, 1_025, 10_000, 20_000, 100_000, 0]) {
    accumulator.clear(expected);
    for (const step of [1, 2, 3]) {
      accumulator.add(Uint32Array.from(seqs.filter((seq) => seq % step === 0)), 1);
    }
    deepStrictEqual([accumulator.size, ...accumulator.top(3)], [10_000, 9_996, 9_990, 9_984]);
  }
});

Deno.test("ScoreAccumulator.clear() gives up large tables and keeps small ones", () => {
  const seqs = Uint32Array.from({ length: 70_000 }, (_, index) => index + 1);
  const accumulator = new ScoreAccumulator();
  const initial = accumulator.capacity;
  for (const expected of [0, seqs.length]) {
    accumulator.clear(expected);
    accumulator.add(seqs, 1);
    ok(accumulator.capacity >= seqs.length);
    accumulator.clear();
    strictEqual(accumulator.capacity, initial);
  }
  accumulator.add(seqs.subarray(0, 10_000), 1);
  const { capacity } = accumulator;
  accumulator.clear();
  strictEqual(accumulator.capacity, capacity);
});
