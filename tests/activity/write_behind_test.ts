/** Write-behind: what can't be written doesn't keep the rest from being written. */

import { deepStrictEqual, match } from "node:assert/strict";
import sql from "sql-template-tag";
import { jsonLog } from "../../src/kernel/log.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { WriteBehind } from "../../src/server/write_behind.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("WriteBehind.finish() writes the other parts and collects garbage if a part can't be written", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const { activity, access, appContext: { store } } = services;
  const lines: string[] = [];
  try {
    const { number } = await store.write("maintenance", async (tx) => {
      await tx.run(sql`drop table memory_access`);
      await tx.run(sql`insert into retired_versions
        (version, project, indexed, deleted, title, tags) values (99, 1, 0, 1, '', '[]')`);
      tx.notify("garbage");
      return await services.projects.create(tx, "default");
    });
    access.record(number, ["mem_x"]);
    activity.recordSearch(number);
    const log = jsonLog({ now: () => 0 }, "info", (text) => lines.push(text));
    await new WriteBehind(services, log).finish();
    log.flush();
    const searches = sql`select count from activity where kind = 'searches'`;
    deepStrictEqual(await store.read((db) => db.all(searches)), [{ count: 1 }]);
    deepStrictEqual(await store.read((db) => db.all(sql`select 1 from retired_versions`)), []);
    match(lines.join(""), /^.*write-behind flush failed.*memory_access.*\n$/);
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});
