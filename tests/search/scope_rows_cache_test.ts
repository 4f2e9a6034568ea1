/** Checks that cached scopes stay complete while memories are added, imported and deleted. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { type ScopeKey, ScopeRowsCache } from "../../src/search/vectors/scope_rows_cache.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const USERS = ["ana", "ben"] as const;

/** How many `seq` numbers an import has reserved. It uses them one after another. */
const IMPORTED = 150;

Deno.test("ScopeRowsCache.get() returns the memories in a scope after any mix of adds, imports and deletes", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  try {
    const random = new SeededRandom(11);
    const cache = new ScopeRowsCache();
    const expected: Record<string, number[]> = { ana: [], ben: [] };
    let ids = 0;
    const recordChange = (id: string, change: string) =>
      db.run(sql`insert into journal (project, kind, record_id, change, at)
        values (1, 'memory', ${id}, ${change}, '')`);
    const write = (user: string, seq: number | null) => {
      const id = `mem_${ids++}`;
      // What is imported keeps its time, which is earlier.
      const at = `${seq === null ? 2026 : 2024}-${String(ids).padStart(6, "0")}`;
      const inserted = db.insert(
        sql`insert into memories (seq, project, id, user_id, memory_type, importance, created_at,
          updated_at, terms, memory) values (${seq}, 1, ${id}, ${user}, 'fact', 0.5, ${at}, ${at},
          ${new Uint8Array(0)}, 'x')`,
      );
      expected[user]!.push(inserted);
      expected[user]!.sort((a, b) => a - b);
      recordChange(id, "ADD");
    };
    const remove = (user: string) => {
      const [seq] = expected[user]!.splice(random.below(expected[user]!.length), 1);
      if (seq === undefined) return;
      db.run(sql`delete from memories where project = 1 and seq = ${seq}`);
      recordChange("mem", "DELETE");
    };
    db.exec("pragma foreign_keys = off; begin");
    write("ana", IMPORTED + 1);
    for (const user of USERS) for (let count = 0; count < 700; count++) write(user, null);
    let imported = 0;
    for (let round = 0; round < 300; round++) {
      const user = random.pick(USERS)!;
      for (let change = random.below(4); change > 0; change--) {
        if (random.chance(0.3)) write(user, null);
        else if (imported < IMPORTED && random.chance(0.4)) write(user, ++imported);
        else remove(user);
      }
      for (const value of USERS) {
        const scope: ScopeKey = { project: 1, column: "user_id", value };
        deepStrictEqual(cache.get(db, scope, expected[value]!.length), expected[value]);
      }
    }
    const otherProject: ScopeKey = { project: 2, column: "user_id", value: "ana" };
    strictEqual(cache.get(db, otherProject, 0).length, 0);
    db.exec("commit");
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
});
