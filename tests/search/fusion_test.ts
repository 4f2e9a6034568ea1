/** Tests how lexical and vector evidence are fused. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import {
  fuse,
  isPrecise,
  matchesDirectly,
  NO_SIMILARITY_SCALE,
} from "../../src/search/ranking/fusion.ts";

const SCALE = { weight: 1, alone: 0.5, none: 0.2, same: 0.8 };

Deno.test("fuse() returns the lexical relevance if there are no vectors", () => {
  const evidence = [0.9, 0.4, 0].map((words) => ({ words, similarity: null }));
  deepStrictEqual(fuse(evidence, NO_SIMILARITY_SCALE), [0.9, 0.4, 0]);
});

Deno.test("fuse() prefers the more similar of two candidates with the same words", () => {
  const [near, far] = fuse([
    { words: 0.5, similarity: 0.6 },
    { words: 0.5, similarity: 0.3 },
    { words: 0.1, similarity: 0.1 },
  ], SCALE);
  ok(near! > far!);
});

Deno.test("fuse() ranks by similarity if there are no words in common, and unrelated texts get 0", () => {
  const [same, near, unrelated] = fuse([
    { words: 0, similarity: 0.8 },
    { words: 0, similarity: 0.5 },
    { words: 0, similarity: 0.1 },
  ], SCALE);
  ok(same! > near! && near! > 0);
  strictEqual(unrelated, 0);
});

Deno.test("fuse() keeps a memory relevant if its similarity is lowered only by its neighbours", () => {
  const [smoothed] = fuse([{ words: 0, similarity: 0.1, own: 0.5 }], SCALE);
  ok(smoothed! > 0);
});

Deno.test("fuse() keeps the lexical relevance of a memory without a vector", () => {
  const [pending] = fuse([
    { words: 0.7, similarity: null },
    { words: 0.2, similarity: 0.9 },
    { words: 0.1, similarity: 0.1 },
  ], SCALE);
  strictEqual(pending, 0.7);
});

Deno.test("isPrecise() needs some evidence of both kinds, or a lot of one kind", () => {
  const precise = (words: number, similarity: number | null) =>
    isPrecise({ words, similarity }, SCALE);
  deepStrictEqual([precise(0.4, 0.4), precise(0.4, 0.25), precise(0.1, 0.5)], [true, false, false]);
  deepStrictEqual([precise(0.9, null), precise(0, 0.7), precise(0.4, null)], [true, true, false]);
});

Deno.test("isPrecise() uses the memory's own similarity if neighbours lower it", () => {
  ok(isPrecise({ words: 0.4, similarity: 0.25, own: 0.5 }, SCALE));
});

Deno.test("matchesDirectly() returns false for a mere neighbour of a match", () => {
  const neighbour = { words: 0.7, similarity: 0.5, hasQueryTerm: false };
  deepStrictEqual(
    [{ own: 0.1 }, { own: 0.3 }, { own: null, similarity: null }, { own: 0.1, hasQueryTerm: true }]
      .map((own) => matchesDirectly({ ...neighbour, ...own }, SCALE)),
    [false, true, false, true],
  );
});
