/** The protocol's official client goes from 401 to a tool call, a refresh and a revocation. */

import { strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { checkOfficialClient } from "./official_client.ts";
import { CALLBACK, decide } from "./owner.ts";

Deno.test("the official client connects, calls a tool, refreshes its token and revokes it", async () => {
  await withServer(async (server) => {
    await checkOfficialClient(
      server,
      CALLBACK,
      (url) => decide(server, url, { user_id: "ana" }),
    );
    const [connection] = await server.manage("connections", "list", "--project", "default");
    strictEqual(connection.user_id, "ana");
  });
});
