/** Tests how a project is read for a search copy. */

import { rejects, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { COPY_START, readBatches } from "../../src/copies/feed.ts";
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
