/** Words and meaning, fused. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  fuse,
  isPrecise,
  matchesDirectly,
  NO_SIMILARITY_SCALE,
} from "../../src/search/ranking/fusion.ts";

const MEANING = { weight: 1, alone: 0.5, none: 0.2, same: 0.8 };

Deno.test("without vectors relevance is what words say", () => {
  const evidence = [0.9, 0.4, 0].map((words) => ({ words, similarity: null }));
  deepStrictEqual(fuse(evidence, NO_SIMILARITY_SCALE), [0.9, 0.4, 0]);
});

Deno.test("of two that words can't tell apart, the more similar one is more relevant", () => {
  const [near, far] = fuse([
    { words: 0.5, similarity: 0.6 },
    { words: 0.5, similarity: 0.3 },
    { words: 0.1, similarity: 0.1 },
  ], MEANING);
  ok(near! > far!);
});

Deno.test("without a word in common the similarity decides, and unrelated texts are irrelevant", () => {
  const [same, near, unrelated] = fuse([
    { words: 0, similarity: 0.8 },
    { words: 0, similarity: 0.5 },
    { words: 0, similarity: 0.1 },
  ], MEANING);
  ok(same! > near! && near! > 0);
  strictEqual(unrelated, 0);
});

Deno.test("what stands beside a memory doesn't make it irrelevant", () => {
  const [beside] = fuse([{ words: 0, similarity: 0.1, own: 0.5 }], MEANING);
  ok(beside! > 0);
});

Deno.test("a memory that has no vector yet keeps what its words are worth", () => {
  const [waiting] = fuse([
    { words: 0.7, similarity: null },
    { words: 0.2, similarity: 0.9 },
    { words: 0.1, similarity: 0.1 },
  ], MEANING);
  strictEqual(waiting, 0.7);
});

Deno.test("precise is what both kinds of evidence speak for, or one of them strongly", () => {
  const precise = (words: number, similarity: number | null) =>
    isPrecise({ words, similarity }, MEANING);
  deepStrictEqual([precise(0.4, 0.4), precise(0.4, 0.25), precise(0.1, 0.5)], [true, false, false]);
  deepStrictEqual([precise(0.9, null), precise(0, 0.7), precise(0.4, null)], [true, true, false]);
});

Deno.test("what stands beside a memory doesn't make it less precise", () => {
  ok(isPrecise({ words: 0.4, similarity: 0.25, own: 0.5 }, MEANING));
});

Deno.test("what only stands beside a match doesn't speak of the query itself", () => {
  const beside = { words: 0.7, similarity: 0.5, says: false };
  deepStrictEqual(
    [{ own: 0.1 }, { own: 0.3 }, { own: null, similarity: null }, { own: 0.1, says: true }]
      .map((itself) => matchesDirectly({ ...beside, ...itself }, MEANING)),
    [false, true, false, true],
  );
});
