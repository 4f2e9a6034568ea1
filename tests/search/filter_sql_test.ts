/** Checks that a filter's SQL condition keeps every matching memory, and few others. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { LIMITS } from "../../src/kernel/limits.ts";
import { compileFilter } from "../../src/search/query/filter.ts";
import type { Filterable } from "../../src/search/query/filterable.ts";
import { certainMatches } from "../../src/search/lexical/certain_matches.ts";
import { sqlPrefilter } from "../../src/search/lexical/filter_sql.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const IMPORTANCES = [0, 0.25, 0.5, 1];
const DATES = ["0999-12-31T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-03-01T10:30:00.001Z"];
const TEXTS = ["Ana drinks tea", "", "tea", "茶 and 🍵", "%_'\"\\", "ﬀ"];
const VALUES = [null, -1, 0, 2.5, 7, 1e15, 1e30, -1e300, "7", "tea", true, [3, 9], { deep: 4 }];

/** Filters that SQL can express at least partly. */
const EXPRESSIBLE: readonly unknown[] = [
  ...[0, 0.5, -1, 1, 3].flatMap((value) =>
    ["eq", "gt", "gte", "lt", "lte"].map((operator) => ({ importance: { [operator]: value } }))
  ),
  { importance: { in: [0.25, 1] } },
  ...["created_at", "event_date"].flatMap((field) => [
    { [field]: "2026-03-01" },
    { [field]: { gte: "2026-03-01", lt: "2026-03-01T12:30+02:00" } },
    { [field]: { gt: "2026-03-01T10:30:00.0019Z" } },
    { [field]: { lte: "1000-01-01" } },
    { [field]: { in: ["2026-03-01T01:00+01:00", "2020-01-01"] } },
    { [field]: { contains: "10:30" } },
  ]),
  { event_date: null },
  { event_date: { ne: null } },
  { event_date: "*" },
  { event_date: { exists: false } },
  ...TEXTS.flatMap((text) => [{ memory: text }, { memory: { contains: text } }]),
  { memory: { in: TEXTS.slice(2) } },
  { id: "mem_3" },
  { cups: { gt: 1 } },
  { cups: { gte: -1, lte: 7 } },
  { "metadata.cups": { lt: 0 } },
  { metadata: { cups: { deep: { gte: 4 } } } },
  { "some key": { lte: 2.5 } },
  { OR: [{ importance: 1 }, { AND: [{ cups: { gt: 1 } }, { NOT: { cups: 7 } }] }] },
  { AND: [{ memory: { icontains: "TEA" } }, { importance: { gte: 0.5 } }] },
];

/** A filter with more values than an SQLite statement can have parameters. */
const LARGEST_FILTER = {
  OR: Array.from({ length: Math.ceil(33_000 / LIMITS.filterListItems) }, () => ({
    importance: { in: Array.from({ length: LIMITS.filterListItems }, (_, index) => index / 4) },
  })),
};

/** Filters that SQL can't express. */
const INEXPRESSIBLE: readonly unknown[] = [
  {},
  { NOT: { importance: 1 } },
  { memory: { icontains: "TEA" } },
  { memory: { gt: "A" } },
  // Half of the surrogate pair for a teacup.
  { memory: { contains: "\ud83c" } },
  { importance: { gt: 1e300 } },
  { importance: { contains: "1" } },
  { cups: { gt: "A" } },
  { cups: 7 },
  { 'a"b': { gt: 1 } },
  { OR: [{ importance: 1 }, { cups: { ne: 1 } }] },
  { created_at: { gt: 5 } },
];

Deno.test("sqlPrefilter() keeps every memory that matches the filter", async () => {
  await withMemories((db, memories) => {
    for (const filter of [...EXPRESSIBLE, LARGEST_FILTER]) {
      const condition = sqlPrefilter(filter);
      ok(condition !== null, JSON.stringify(filter));
      const kept = db.all<{ id: string }>(sql`select id from memories where ${condition}`);
      const ids = new Set(kept.map(({ id }) => id));
      for (const memory of memories.filter(compileFilter(filter))) {
        ok(ids.has(memory.id), `${JSON.stringify(filter)} ${JSON.stringify(memory)}`);
      }
    }
  });
});

Deno.test("sqlPrefilter() keeps no other memories for ranges over a memory's own fields", async () => {
  await withMemories((db, memories) => {
    for (
      const filter of [
        { importance: { gt: 0.25, lte: 0.5 } },
        { event_date: { gte: "2026-03-01T11:30+01:00" } },
        { valid_to: null, memory: { contains: "tea" } },
      ]
    ) {
      const kept = db.all<{ id: string }>(
        sql`select id from memories where ${sqlPrefilter(filter)}`,
      );
      const passing = memories.filter(compileFilter(filter)).map(({ id }) => id);
      ok(passing.length > 0);
      deepStrictEqual(kept.map(({ id }) => id).sort(), passing.sort());
    }
  });
});

Deno.test("sqlPrefilter() returns null for filters that SQL can't express", () => {
  for (const filter of [undefined, ...INEXPRESSIBLE]) {
    strictEqual(sqlPrefilter(filter), null, JSON.stringify(filter));
  }
});

Deno.test("certainMatches() covers most memories for excluded metadata, and no others", async () => {
  await withMemories((db, memories) => {
    for (
      const filter of [
        { NOT: { "metadata.cups": { lt: 3 } } },
        { NOT: [{ cups: 7 }, { "some key": { gt: 1, lt: 5 } }] },
        { AND: [{ NOT: { OR: [{ cups: { in: [7, "tea"] } }, { cups: { exists: true } }] } }] },
        { NOT: { metadata: { cups: { deep: { contains: 4 } } } } },
      ]
    ) {
      const condition = certainMatches(filter);
      ok(condition !== null, JSON.stringify(filter));
      const certain = db.all<{ id: string }>(sql`select id from memories where ${condition}`);
      const others = db.all<{ id: string }>(sql`select id from memories where not ${condition}`);
      strictEqual(certain.length + others.length, memories.length);
      ok(certain.length > 0);
      const matching = new Set(memories.filter(compileFilter(filter)).map(({ id }) => id));
      for (const { id } of certain) ok(matching.has(id), `${JSON.stringify(filter)} ${id}`);
    }
  });
});

Deno.test("certainMatches() returns null for filters that need the values", () => {
  for (
    const filter of [
      {},
      { cups: 7 },
      { importance: 1, NOT: { cups: 7 } },
      { NOT: { importance: 1 } },
      { NOT: { cups: { ne: 7 } } },
      { NOT: { cups: null } },
      { NOT: { cups: { exists: false } } },
      { NOT: { 'a"b': 1 } },
      { NOT: { NOT: { cups: 7 } } },
      { OR: [{ NOT: { cups: 7 } }] },
    ]
  ) strictEqual(certainMatches(filter), null, JSON.stringify(filter));
});

/**
 * Creates a few hundred memories with all kinds of values, both in a database and in the form seen
 * by filters.
 */
async function withMemories(
  work: (db: Connection, memories: readonly Filterable[]) => void,
): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  const random = new SeededRandom(5);
  const date = () => random.chance(0.3) ? null : random.pick(DATES)!;
  try {
    db.exec("pragma foreign_keys = off");
    const memories = Array.from({ length: 400 }, (_, index): Filterable => ({
      id: `mem_${index}`,
      memory: random.pick(TEXTS)!,
      memory_type: "fact",
      importance: random.pick(IMPORTANCES)!,
      user_id: "ana",
      agent_id: null,
      run_id: null,
      created_at: random.pick(DATES)!,
      updated_at: random.pick(DATES)!,
      event_date: date(),
      valid_from: date(),
      valid_to: date(),
      metadata: random.chance(0.2)
        ? null
        : { cups: random.pick(VALUES), "some key": random.pick(VALUES) },
    }));
    for (const memory of memories) {
      const metadata = memory.metadata === null ? null : JSON.stringify(memory.metadata);
      db.run(sql`insert into memories (project, id, user_id, memory_type, importance, created_at,
        updated_at, event_date, valid_from, valid_to, terms, memory, metadata) values (1, ${memory.id},
        ${memory.user_id}, ${memory.memory_type}, ${memory.importance}, ${memory.created_at},
        ${memory.updated_at}, ${memory.event_date}, ${memory.valid_from}, ${memory.valid_to},
        ${new Uint8Array(0)}, ${memory.memory}, ${metadata})`);
    }
    work(db, memories);
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}
