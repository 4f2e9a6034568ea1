/** Searches when the database can't be read. */

import { strictEqual } from "node:assert/strict";
import { renameSync } from "node:fs";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { withServer } from "../../testing/harness.ts";

for (const path of ["/v1/memories/search", "/v1/documents/search"]) {
  Deno.test(`${path} answers 503 while the database can't be opened, and searches later`, async () => {
    await withServer(async (server) => {
      const search = () => server.call("POST", path, { body: { query: "tea", user_id: "ana" } });
      const database = databasePath(server.directory);
      renameSync(database, `${database}.away`);
      const refused = await search();
      renameSync(`${database}.away`, database);
      strictEqual(refused.status, 503);
      strictEqual(refused.json.code, "STORAGE_UNAVAILABLE", refused.text);
      strictEqual(refused.headers.get("retry-after"), "1");
      strictEqual((await search()).status, 200);
    });
  });
}
