/** Tests of versions that one process writes while another one collects garbage. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { BatchUnits } from "../../src/documents/batch_units.ts";
import { prepareChunks } from "../../src/documents/prepare.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { testWith } from "../../testing/tools.ts";
import { postgres } from "../store/engines.ts";

const DRAFT = { project: 1, title: "Log", tags: [], content: "Fog all day. No wind." };

testWith(
  ["initdb", "setpriv"],
  "a process doesn't collect a version that another one is writing",
  async () => {
    const address = (await postgres()).newSchema();
    const [writer, collector] = [await PgStore.open(address), await PgStore.open(address)];
    try {
      const version = await new BatchUnits(writer).run({ begin: DRAFT }) as number;
      const chunks = prepareChunks({ ...DRAFT, chunkedAs: "text/plain" });
      const [appended, collected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // Holds the unit of work open, as a slow one is.
      const slow = {
        index: writer.index,
        reserve: writer.reserve.bind(writer),
        write: ((owner, work) =>
          writer.write(owner, async (tx) => {
            const result = await work(tx);
            appended.resolve();
            await collected.promise;
            return result;
          })) as PgStore["write"],
      };
      const append = { project: 1, version, tags: [], from: 0, chunks };
      const appending = new BatchUnits(slow).run({ append });
      await appended.promise;
      strictEqual(await new BatchUnits(collector).run({ collect: { pinned: [] } }), false);
      collected.resolve();
      strictEqual(await appending, true);
      const rows = await writer.read((db) =>
        db.all(sql`select indexed, (select count(*) from document_contents) as contents
        from retired_versions`)
      );
      deepStrictEqual(rows, [{ indexed: chunks.length, contents: 1 }]);
    } finally {
      await Promise.all([writer.close(), collector.close()]);
    }
  },
);
