/** Tests how a project is read for a search copy. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { COPY_START, readBatches } from "../../src/copies/feed.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { recordRows } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { withStore } from "../store/with_store.ts";

/** More entries than a batch has. */
const ENTRIES = 2_500;

Deno.test("readBatches() reports that the next batch can't be read only after the caller is done", async () => {
  await withStore(async (store) => {
    const entries = Array.from({ length: ENTRIES }, (_, index) => ({ id: `key_${index}` }));
    await store.write(
      "rows",
      (tx) =>
        tx.run(sql`insert into journal (project, kind, record_id, change, at)
        select 1, 'key', value ->> 'id', 'ADD', '' from ${recordRows(entries)}`),
    );
    const failed = Promise.withResolvers<void>();
    let reads = 0;
    const failing: Pick<Store, "read"> = {
      read(work) {
        if (++reads === 1) return store.read(work);
        failed.resolve();
        return Promise.reject(new Error("connection lost"));
      },
    };
    let batches = 0;
    const readAll = async () => {
      for await (const _ of readBatches(failing, 1, COPY_START)) {
        batches++;
        await failed.promise;
        // An error without a handler would end the process now.
        await new Promise(setImmediate);
      }
    };
    await rejects(readAll, /connection lost/);
    strictEqual(batches, 1);
  });
});

/** Memories of the maximum size that don't fit in a batch, and how many do. */
const LARGE_MEMORIES = 90;
const FITTING = Math.floor(8 * 2 ** 20 / LIMITS.memoryTextBytes);

Deno.test("readBatches() yields large memories in batches of limited size", async () => {
  await withStore(async (store) => {
    const memory = "x".repeat(LIMITS.memoryTextBytes);
    await store.write("rows", async (tx) => {
      await tx.run(
        sql`insert into projects (number, id, name, created_at) values (1, 'p', 'p', '')`,
      );
      for (let n = 0; n < LARGE_MEMORIES; n++) {
        await tx.run(sql`insert into memories (project, id, memory_type, importance, created_at,
            updated_at, terms, memory)
          values (1, ${`mem_${n}`}, 'fact', 0.5, '', '', ${new Uint8Array()}, ${memory})`);
        await tx.run(sql`insert into journal (project, kind, record_id, change, at)
          values (1, 'memory', ${`mem_${n}`}, 'ADD', '')`);
      }
    });
    const sizes: number[] = [];
    for await (const { memories, entries } of readBatches(store, 1, COPY_START)) {
      strictEqual(memories.length, entries.length);
      sizes.push(memories.length);
    }
    deepStrictEqual(sizes, [FITTING, LARGE_MEMORIES - FITTING]);
  });
});
