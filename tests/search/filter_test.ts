/** Tests the filter language: what each condition matches, and where errors are reported. */

import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { ApiError } from "../../src/kernel/errors.ts";
import { compileFilter } from "../../src/search/query/filter.ts";
import type { Filterable } from "../../src/search/query/filterable.ts";

const MEMORY: Filterable = {
  id: "mem_1",
  memory: "Ana drinks Oolong",
  memory_type: "preference",
  importance: 0.7,
  user_id: "ana",
  agent_id: null,
  run_id: null,
  created_at: "2026-03-04T05:06:07.089Z",
  updated_at: "2026-03-05T00:00:00.000Z",
  event_date: null,
  valid_from: null,
  valid_to: null,
  metadata: {
    cups: 3,
    hot: true,
    tags: ["Tea", "daily", 7],
    empty: null,
    nested: { deep: { word: "leaf" }, "a.b": 1 },
    importance: 99,
    user_id: "shadow",
    eq: "odd",
    constructor: "a name like any other",
    __proto__x: 1,
    date: "2026-01-01",
  },
};

/** Filters that match the memory. */
const MATCHING: readonly unknown[] = [
  {},
  { memory_type: "preference" },
  { memory_type: "preference", cups: 3 },
  { cups: { eq: 3 } },
  { cups: { ne: 4 } },
  { cups: { ne: "3" } },
  { cups: { gt: 2, lt: 4 } },
  { cups: { gte: 3, lte: 3 } },
  { cups: { in: [1, 3] } },
  { cups: { nin: [1, 2] } },
  { cups: { nin: ["3"] } },
  { cups: "*" },
  { cups: { exists: true } },
  { hot: true },
  { hot: { ne: false } },
  { tags: "Tea" },
  { tags: 7 },
  { tags: { in: ["other", "daily"] } },
  { tags: { contains: "daily" } },
  { tags: { icontains: "tea" } },
  { tags: { nin: ["other"] } },
  { memory: { contains: "Oolong" } },
  { memory: { icontains: "OOLONG" } },
  { empty: null },
  { missing: null },
  { empty: { exists: false } },
  { missing: { ne: 1 } },
  { missing: { nin: [1] } },
  { agent_id: null },
  { event_date: null },
  { event_date: { ne: "2026-01-01" } },
  { user_id: "*" },
  { id: "mem_1" },
  { id: { in: ["mem_1", "mem_2"] } },
  { "nested.deep.word": "leaf" },
  { "metadata.nested.deep.word": "leaf" },
  { metadata: { cups: 3 } },
  { metadata: { nested: { deep: { word: "leaf" } } } },
  { metadata: { nested: { deep: { word: { contains: "ea" } } } } },
  { metadata: { "nested.deep.word": "leaf" } },
  { importance: { gt: 0.5 } },
  { "metadata.importance": 99 },
  { metadata: { importance: 99, user_id: "shadow" } },
  { constructor: "a name like any other" },
  { "metadata.constructor": { contains: "name" } },
  { metadata: { eq: "odd" } },
  { created_at: "2026-03-04T05:06:07.089Z" },
  { created_at: "2026-03-04T06:06:07.089+01:00" },
  { created_at: { gt: "2026-03-04", lt: "2026-03-05" } },
  { updated_at: { eq: "2026-03-05" } },
  { created_at: { in: ["2026-01-01", "2026-03-04T05:06:07.0891Z"] } },
  { created_at: { nin: ["2026-01-01"] } },
  { created_at: { ne: 5 } },
  { date: { gte: "2026-01-01" } },
  { AND: [{ cups: 3 }, { hot: true }] },
  { OR: [{ cups: 9 }, { hot: true }] },
  { NOT: { cups: 9 } },
  { NOT: [{ cups: 9 }, { hot: false }] },
  { and: [{ or: [{ cups: 3 }] }, { not: { cups: 9 } }] },
  { AND: [{ cups: 3 }], hot: true },
  { NOT: { AND: [{ cups: 3 }, { hot: false }] } },
];

/** Filters that don't match the memory. */
const NOT_MATCHING: readonly unknown[] = [
  { memory_type: "fact" },
  { memory_type: "preference", cups: 4 },
  { cups: "3" },
  { cups: { eq: "3" } },
  { cups: { gt: "2" } },
  { cups: { gt: 3 } },
  { cups: { gt: 2, lt: 3 } },
  { cups: { in: ["3"] } },
  { cups: { nin: [3] } },
  { cups: null },
  { cups: { contains: "3" } },
  { hot: "true" },
  { hot: 1 },
  { tags: "tea" },
  { tags: { contains: "dail" } },
  { tags: { ne: "Tea" } },
  { tags: { nin: ["Tea"] } },
  { memory: { contains: "oolong" } },
  { memory: "Oolong" },
  { missing: "*" },
  { empty: "*" },
  { empty: { exists: true } },
  { missing: { gt: 0 } },
  { missing: { lt: 0 } },
  { missing: { eq: 1 } },
  { missing: { in: [1] } },
  { missing: { contains: "x" } },
  { missing: { icontains: "x" } },
  { agent_id: "*" },
  { agent_id: { eq: "x" } },
  { event_date: { lt: "2030-01-01" } },
  { event_date: { gt: "2020-01-01" } },
  { user_id: "shadow" },
  { importance: 99 },
  { "tags.0": "Tea" },
  { "memory.length": 17 },
  { "nested.deep": "leaf" },
  { created_at: { gt: "2026-03-04T05:06:07.089Z" } },
  { created_at: { gt: 5 } },
  { created_at: { lt: 9e15 } },
  { created_at: Date.parse("2026-03-04T05:06:07.089Z") },
  { NOT: { cups: 3 } },
  { NOT: [{ cups: 9 }, { hot: true }] },
  { OR: [{ cups: 9 }, { hot: false }] },
  { AND: [{ cups: 3 }, { hot: false }] },
  { AND: [{ cups: 3 }], hot: false },
];

const nest = (levels: number): unknown => levels === 1 ? { cups: 3 } : { AND: [nest(levels - 1)] };
const nestMetadata = (levels: number): unknown =>
  levels === 0 ? 1 : { a: nestMetadata(levels - 1) };

/** Invalid filters, with the path of the error. */
const INVALID: readonly (readonly [unknown, string])[] = [
  [null, "filters"],
  ["cups", "filters"],
  [[], "filters"],
  [{ cups: {} }, "filters.cups"],
  [{ cups: { above: 1 } }, "filters.cups.above"],
  [{ cups: { $gt: 1 } }, "filters.cups.$gt"],
  [{ cups: { gt: 1, nope: 2 } }, "filters.cups.nope"],
  [{ cups: [1, 2] }, "filters.cups"],
  [{ cups: { in: 3 } }, "filters.cups.in"],
  [{ cups: { in: [] } }, "filters.cups.in"],
  [{ cups: { in: [{ a: 1 }] } }, "filters.cups.in.0"],
  [{ cups: { nin: Array.from({ length: 501 }, (_, n) => n) } }, "filters.cups.nin"],
  [{ cups: { exists: "yes" } }, "filters.cups.exists"],
  [{ cups: { gt: null } }, "filters.cups.gt"],
  [{ cups: { icontains: 3 } }, "filters.cups.icontains"],
  [{ AND: [] }, "filters.AND"],
  [{ OR: [] }, "filters.OR"],
  [{ NOT: [] }, "filters.NOT"],
  [{ AND: { cups: 3 } }, "filters.AND"],
  [{ OR: [{ cups: 3 }, 7] }, "filters.OR.1"],
  [{ NOT: "x" }, "filters.NOT"],
  [{ created_at: "yesterday" }, "filters.created_at"],
  [{ created_at: { gt: "2026-W01" } }, "filters.created_at.gt"],
  [{ valid_to: { in: ["2026-01-01", "soon"] } }, "filters.valid_to.in.1"],
  [{ "a..b": 1 }, "filters.a..b"],
  [{ ["x".repeat(65)]: 1 }, `filters.${"x".repeat(65)}`],
  [{ metadata: { cups: { gt: 1, other: 2 } } }, "filters.metadata.cups.other"],
];

Deno.test("compileFilter() matches according to the grammar", async (t) => {
  for (const filter of MATCHING) {
    await t.step(JSON.stringify(filter), () => strictEqual(compileFilter(filter)(MEMORY), true));
  }
});

Deno.test("compileFilter() rejects memories that don't match", async (t) => {
  for (const filter of NOT_MATCHING) {
    await t.step(JSON.stringify(filter), () => strictEqual(compileFilter(filter)(MEMORY), false));
  }
});

Deno.test("compileFilter() reports the path of an error", async (t) => {
  for (const [filter, path] of INVALID) {
    await t.step(
      JSON.stringify(filter).slice(0, 60),
      () => deepStrictEqual(errorPath(filter), path),
    );
  }
});

Deno.test("compileFilter() accepts at most 8 levels, 200 conditions and 500 values in a list", () => {
  strictEqual(compileFilter(nest(8))(MEMORY), true);
  throws(() => compileFilter(nest(9)), ApiError);
  compileFilter({ metadata: nestMetadata(7) });
  throws(() => compileFilter({ metadata: nestMetadata(9) }), ApiError);
  const conditions = (count: number) => ({
    OR: Array.from({ length: count }, (_, n) => ({ cups: n })),
  });
  strictEqual(compileFilter(conditions(200))(MEMORY), true);
  throws(() => compileFilter(conditions(201)), ApiError);
  compileFilter({ cups: { in: Array.from({ length: 500 }, (_, n) => n) } });
  // Without this, the number of branches would only be limited by the size of the request.
  for (const empty of [{}, { metadata: {} }]) {
    compileFilter({ AND: Array.from({ length: 200 }, () => empty) });
    throws(() => compileFilter({ AND: Array.from({ length: 201 }, () => empty) }), ApiError);
  }
});

Deno.test("compileFilter() accepts path segments of at most 64 code points", () => {
  const key = "🍵".repeat(64);
  strictEqual(compileFilter({ [key]: 3 })({ ...MEMORY, metadata: { [key]: 3 } }), true);
  strictEqual(errorPath({ [`${key}🍵`]: 3 }), `filters.${key}🍵`);
});

Deno.test("compileFilter() treats a memory without metadata as if it had none of the fields", () => {
  const bare = { ...MEMORY, metadata: null };
  strictEqual(compileFilter({ cups: "*" })(bare), false);
  strictEqual(compileFilter({ "metadata.cups": null })(bare), true);
  strictEqual(compileFilter({ metadata: { cups: { ne: 3 } } })(bare), true);
});

/** Returns the path of an invalid filter's error. */
function errorPath(filter: unknown): string {
  try {
    compileFilter(filter);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.details!["issues"] as { path: string }[])[0]!.path;
  }
  throw new Error("Expected the filter to be rejected");
}
