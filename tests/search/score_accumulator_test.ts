/** Sums of lists, and the best of them, are what a map and sorting come to. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ScoreAccumulator } from "../../src/search/lexical/score_accumulator.ts";
import { fc } from "../../testing/fast_check.ts";

/** Lists of numbers with what each gains; few gains, so that many sums are equal. */
const LISTS = fc.array(fc.record({
  numbers: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1 })), {
    maxLength: 40,
  }),
  gain: fc.constantFrom(0.5, 1, 2),
}));

Deno.test("the best are those with the greatest sums, of equal ones the latest", () => {
  fc.assert(fc.property(LISTS, fc.nat(60), (lists, limit) => {
    const tally = new ScoreAccumulator();
    const sums = new Map<number, number>();
    for (const { numbers, gain } of lists) {
      tally.add(numbers.join(), gain);
      for (const number of numbers) sums.set(number, (sums.get(number) ?? 0) + gain);
    }
    const sorted = [...sums].sort(([a, sum], [b, other]) => other - sum || b - a);
    strictEqual(tally.size, sums.size);
    deepStrictEqual(tally.top(limit), sorted.slice(0, limit).map(([number]) => number));
  }));
});

Deno.test("more records than were expected are added up as well", () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1);
  for (const expected of [0, 1_025, 10_000, 20_000]) {
    const tally = new ScoreAccumulator(expected);
    for (const step of [1, 2, 3]) {
      tally.add(numbers.filter((number) => number % step === 0).join(), 1);
    }
    deepStrictEqual([tally.size, ...tally.top(3)], [10_000, 9_996, 9_990, 9_984]);
  }
});
