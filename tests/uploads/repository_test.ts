/** Tests the query plans used by uploads. */

import { match } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import { findCancelled } from "../../src/uploads/repository.ts";
import { withStore } from "../store/with_store.ts";

Deno.test("findCancelled() uses an index", async () => {
  await withStore(async (store) => {
    let asked: Sql | undefined;
    await store.read((db) => findCancelled({ ...db, all: (query) => db.all(asked = query) }, 50));
    const plan = await store.read((db) =>
      db.all<{ detail: string }>(sql`explain query plan ${asked}`)
    );
    match(
      plan.map(({ detail }) => detail).join(),
      /SEARCH .* USING INDEX source_assets_unfinished/,
    );
  });
});
