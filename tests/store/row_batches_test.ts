/** Tests how a project's rows are read in steps. */

import { deepStrictEqual, ok } from "node:assert/strict";
import sql from "sql-template-tag";
import { nextRowBatch } from "../../src/store/row_batches.ts";
import { recordRows } from "../../src/store/sql.ts";
import { testStores } from "./engines.ts";

/** Numbers of a project's rows, far apart in a table with those of another one. */
const SEQS = [5_000_000, 5_000_001, 5_003_500, 90_000_000];

testStores("nextRowBatch() passes over the rows of other projects", async (store) => {
  const rows = [...SEQS.map((seq) => [1, seq]), [2, 1], [2, 5_001_000], [2, 99_000_000]]
    .map(([project, seq]) => ({ project, seq }));
  await store.write("rows", (tx) =>
    tx.run(sql`insert into memory_history
      (seq, project, id, memory_id, event, source, created_at)
      select cast(value ->> 'seq' as bigint), cast(value ->> 'project' as bigint), value ->> 'seq',
        'mem_a', 'ADD', '{}', '' from ${recordRows(rows)}`));
  const read = async (conditions: { condition?: ReturnType<typeof sql>; last?: number }) => {
    const found: number[] = [];
    let after: readonly [number] | null = null;
    let steps = 0;
    do {
      const batch: Awaited<ReturnType<typeof nextRowBatch<{ seq: number }>>> = await store.read((
        db,
      ) =>
        nextRowBatch(db, {
          table: "memory_history",
          columns: sql`seq`,
          project: 1,
          after,
          count: 2,
          ...conditions,
        })
      );
      found.push(...batch.rows.map(({ seq }) => seq));
      after = batch.next;
      steps++;
    } while (after !== null);
    ok(steps <= SEQS.length + 1, `${steps} steps`);
    return found;
  };
  deepStrictEqual(await read({}), SEQS);
  deepStrictEqual(await read({ last: SEQS[2]! }), SEQS.slice(0, 3));
  deepStrictEqual(await read({ last: 10 }), []);
  deepStrictEqual(await read({ condition: sql`and seq > ${SEQS[0]!}` }), SEQS.slice(1));
});
