/** Tests searches while the database can't be opened. */

import { strictEqual } from "node:assert/strict";
import { renameSync } from "node:fs";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { testSqlite } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";

for (const path of ["/v1/memories/search", "/v1/documents/search"]) {
  testSqlite(
    `POST ${path} returns 503 while the database can't be opened, and recovers`,
    async () => {
      await withServer(async (server) => {
        const search = () => server.call("POST", path, { body: { query: "tea", user_id: "ana" } });
        const database = databasePath(server.directory);
        renameSync(database, `${database}.away`);
        const failed = await search();
        renameSync(`${database}.away`, database);
        strictEqual(failed.status, 503);
        strictEqual(failed.json.code, "STORAGE_UNAVAILABLE", failed.text);
        strictEqual(failed.headers.get("retry-after"), "1");
        strictEqual((await search()).status, 200);
      });
    },
  );
}
