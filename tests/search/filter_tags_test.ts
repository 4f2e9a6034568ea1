/** Checks that every memory matching a filter has the filter's index tags. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { compileFilter } from "../../src/search/query/filter.ts";
import { metadataTags, tagClauses } from "../../src/search/query/filter_tags.ts";
import { memoryTags } from "../../src/memories/row.ts";

const MEMORY = {
  id: "mem_1",
  memory: "text",
  memory_type: "fact" as const,
  importance: 0.5,
  user_id: "ana",
  agent_id: null,
  run_id: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  event_date: null,
  valid_from: null,
  valid_to: null,
};

const METADATA = { team: "blue", size: 5, done: true, tags: ["x", 7], deep: { er: { key: "v" } } };

const MATCHING: readonly unknown[] = [
  { team: "blue" },
  { size: { eq: 5, gt: 1 } },
  { "metadata.done": true },
  { tags: "x" },
  { tags: { in: [7, 8] } },
  { metadata: { deep: { er: { key: "v" } } } },
  { "deep.er.key": { in: ["v"] } },
  { AND: [{ team: "blue" }, { NOT: { team: "red" } }] },
  { or: [{ team: "red" }, { size: 5 }] },
  { OR: [{ team: "red" }, { size: { gt: 1 } }] },
  { user_id: "ana", memory_type: { in: ["fact", "goal"] } },
  { team: "*" },
  { missing: null },
  { created_at: { gte: "2026-01-01" } },
];

Deno.test("tagClauses() returns clauses that every matching memory satisfies", () => {
  const row = { ...MEMORY, metadata: JSON.stringify(METADATA) };
  const tags = new Set(memoryTags(row));
  for (const filter of MATCHING) {
    ok(compileFilter(filter)({ ...MEMORY, metadata: METADATA }), JSON.stringify(filter));
    for (const clause of tagClauses(filter)) {
      ok(clause.some((tag) => tags.has(tag)), JSON.stringify(filter));
    }
  }
});

Deno.test("tagClauses() covers equality, lists and OR, and returns no clause for other conditions", () => {
  deepStrictEqual(tagClauses({ user_id: "ana" }), [["user_id=ana"]]);
  deepStrictEqual(tagClauses({ OR: [{ user_id: "a" }, { agent_id: "b" }] }), [
    ["user_id=a", "agent_id=b"],
  ]);
  const none = [
    { size: { gt: 1 } },
    { NOT: { team: "blue" } },
    { team: null },
    { id: "mem_1" },
    {},
  ];
  for (const filter of [...none, { OR: [{ team: "blue" }, { size: { lt: 3 } }] }]) {
    deepStrictEqual(tagClauses(filter), []);
  }
});

Deno.test("metadataTags() returns the tag that matches every filter if there are too many values", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, n]));
  const tags = new Set(metadataTags(many));
  ok(tagClauses({ key7: 7 }).every((clause) => clause.some((tag) => tags.has(tag))));
});
