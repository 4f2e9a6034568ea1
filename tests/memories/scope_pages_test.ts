/** Tests for reads of whole scopes. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { ScopeReads } from "../../src/memories/scope_pages.ts";
import { withStore } from "../store/with_store.ts";

const ANA = { user_id: "ana" } as const;

Deno.test("Other reads don't wait while a large scope is read, except for the next large one", async () => {
  await withStore(async (store) => {
    await store.write(1, async (tx) => {
      await tx.run(sql`insert into scope_totals values (1, 'user', 'ana', 5001, '', '')`);
    });
    const reads = new ScopeReads(store);
    const events: string[] = [];
    const next = Promise.withResolvers<object>();
    const first = await reads.read(1, ANA, async () => {
      next.resolve(reads.read(1, ANA, async (db) => {
        events.push("next");
        return (await db.first<{ one: number }>(sql`select 1 as one`))!;
      }));
      const row = await store.read((db) => db.first<{ two: number }>(sql`select 2 as two`));
      events.push("first");
      return row!;
    });
    deepStrictEqual(first, { two: 2 });
    deepStrictEqual(await next.promise, { one: 1 });
    deepStrictEqual(events, ["first", "next"]);
  });
});

Deno.test("A large scope can be read after a read of one has failed", async () => {
  await withStore(async (store) => {
    await store.write(1, async (tx) => {
      await tx.run(sql`insert into scope_totals values (1, 'user', 'ana', 5001, '', '')`);
    });
    const reads = new ScopeReads(store);
    const error = new Error("unreadable");
    const failed = await reads.read(1, ANA, () => Promise.reject(error)).catch((e: unknown) => e);
    strictEqual(failed, error);
    const row = await reads.read(
      1,
      ANA,
      async (db) => (await db.first<object>(sql`select 1 as n`))!,
    );
    deepStrictEqual(row, { n: 1 });
  });
});
