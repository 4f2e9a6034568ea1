/** Scopes are known by their numbers: whatever came or went since, a search looks among what is there. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { type ScopeName, ScopeNumbers } from "../../src/search/scope_numbers.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../random.ts";
import { makeTempDirSync, rm } from "../temporary.ts";

const USERS = ["ana", "ben"] as const;

Deno.test("the numbers of a scope are those of its memories, after every mix of adds and deletes", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  try {
    const random = new SeededRandom(11);
    const scopes = new ScopeNumbers();
    const there: Record<string, number[]> = { ana: [], ben: [] };
    let ids = 0;
    const add = (user: string) =>
      there[user]!.push(Number(db.insert(
        sql`insert into memories (project, id, user_id, memory_type, importance, created_at,
          updated_at, terms, memory) values (1, ${`mem_${ids++}`}, ${user}, 'fact', 0.5, '', '',
          ${new Uint8Array(0)}, 'x')`,
      )));
    const remove = (user: string) => {
      const [seq] = there[user]!.splice(random.below(there[user]!.length), 1);
      if (seq !== undefined) db.run(sql`delete from memories where project = 1 and seq = ${seq}`);
    };
    db.exec("pragma foreign_keys = off; begin");
    for (const user of USERS) for (let each = 0; each < 700; each++) add(user);
    for (let round = 0; round < 300; round++) {
      const user = random.pick(USERS)!;
      for (let change = random.below(4); change > 0; change--) {
        if (random.chance(0.6)) add(user);
        else remove(user);
      }
      for (const value of USERS) {
        const scope: ScopeName = { project: 1, column: "user_id", value };
        deepStrictEqual(scopes.of(db, scope, there[value]!.length), there[value]);
      }
    }
    const nobody: ScopeName = { project: 2, column: "user_id", value: "ana" };
    strictEqual(scopes.of(db, nobody, 0).length, 0);
    db.exec("commit");
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
});
