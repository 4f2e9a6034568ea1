/** Tests the counters of scopes, on both engines. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql, { type Sql } from "sql-template-tag";
import type { MemoryRow } from "../../src/memories/row.ts";
import { countAddedRows, countRemoved } from "../../src/memories/scope_counters.ts";
import { testStores } from "../store/engines.ts";

const AT = "2026-01-01T00:00:00.000Z";

testStores("countRemoved() reads the counters of all owners at once", async (store) => {
  const rows = Array.from({ length: 20 }, (_, index) => ({
    user_id: "ana",
    agent_id: null,
    run_id: `run ${index}`,
    created_at: AT,
    updated_at: AT,
  })) as unknown as MemoryRow[];
  await store.write(1, (tx) => Promise.resolve(countAddedRows(tx, 1, rows)));
  let [waiting, maxWaiting] = [0, 0];
  await store.write(1, async (tx) => {
    const first = tx.first.bind(tx);
    tx.first = async <Row>(query: Sql) => {
      maxWaiting = Math.max(maxWaiting, ++waiting);
      const row = await first<Row>(query);
      waiting--;
      return row;
    };
    await countRemoved(tx, 1, rows);
  });
  strictEqual(maxWaiting, 21, "all runs and the user");
  const left = await store.read((db) =>
    db.all(sql`select type, total_memories from scope_totals where project = 1`)
  );
  deepStrictEqual(left, [{ type: "project", total_memories: 0 }]);
});
