/** Checks that a removal deletes at most 25,000 memories, or none at all. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

const LIMIT = 25_000;

async function fill(server: TestServer, count: number): Promise<string> {
  let last = "";
  for (let added = 0; added < count;) {
    const size = Math.min(500, count - added);
    const messages = Array.from({ length: size }, () => ({ role: "user", content: "hm" }));
    const body = { messages, user_id: "ana", infer: false };
    const { json } = await server.call("POST", "/v1/memories", { body });
    last = json.results.at(-1).id;
    added += size;
  }
  return last;
}

Deno.test("DELETE /v1/entities/{type}/{id} returns 409 for 25,001 memories and removes 25,000", async () => {
  await withServer(async (server) => {
    const surplus = await fill(server, LIMIT + 1);
    const headers = { "idempotency-key": "all" };
    const removals = [
      () => server.call("DELETE", "/v1/entities/user/ana", { headers }),
      () => server.call("DELETE", "/v1/memories?user_id=ana", { headers }),
    ];
    for (const removal of removals) {
      const refused = await removal();
      strictEqual(refused.status, 409);
      strictEqual(refused.json.code, "ENTITY_REMOVAL_TOO_LARGE");
      deepStrictEqual(refused.json.details, { limit: LIMIT, total_memories: LIMIT + 1 });
      match(refused.json.message, /delete them in batches/);
    }
    const total = async () => {
      const { status, json } = await server.call("GET", "/v1/entities/user/ana");
      return status === 404 ? 0 : json.total_memories;
    };
    strictEqual(await total(), LIMIT + 1, "no memory was removed");
    await server.call("DELETE", `/v1/memories/${surplus}`);
    const removed = await removals[0]!();
    deepStrictEqual(removed.json, { id: "ana", type: "user", deleted_memories: LIMIT });
    strictEqual(await total(), 0);
  });
});
