/** Tests requests whose percent-encoding can't be decoded. */

import { strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";

Deno.test("malformed percent-encoding in a query returns 400 and changes nothing", async () => {
  await withServer(async (server) => {
    const id = await server.add("hello", { user_id: "Jos\ufffd" });
    for (
      const [method, path, parameter] of [
        ["GET", "/v1/memories?user_id=Jos%E8", "user_id"],
        ["DELETE", "/v1/memories?user_id=Jos%E9", "user_id"],
        ["DELETE", "/v1/memories?user_id=Jos%ED%A0%80", "user_id"],
        ["GET", "/v1/memories?user_id=ana&limit=%", "limit"],
        ["GET", "/v1/state?user%5Fid=%ZZ", "user_id"],
        ["POST", "/mcp?user_id=Jos%E8", "user_id"],
      ] as const
    ) {
      const headers = { "idempotency-key": "k" };
      const { status, json } = await server.call(method, path, { headers });
      strictEqual(
        `${status} ${json.message}`,
        `400 ${parameter}: Must be percent-encoded UTF-8`,
        path,
      );
    }
    strictEqual((await server.call("GET", `/v1/memories/${id}`)).json.memory, "hello");
  });
});

Deno.test("valid percent-encoding in a query and path is decoded", async () => {
  await withServer(async ({ call, add }) => {
    for (const name of ["100%", "%FF", "José ?&=#/+", "ana"]) {
      await add("hello", { user_id: name });
      const encoded = encodeURIComponent(name);
      strictEqual((await call("GET", `/v1/memories?user_id=${encoded}`)).json.results.length, 1);
      const headers = { "idempotency-key": name.slice(0, 3) };
      const { status } = await call("DELETE", `/v1/entities/user/${encoded}`, { headers });
      strictEqual(status, 200, name);
    }
  });
});
