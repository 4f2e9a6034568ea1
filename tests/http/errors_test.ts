/** Tests what all responses have in common, and errors that hide what exists. */

import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";

Deno.test("every response has a unique request id and ignores the one that the client sent", async () => {
  await withServer(async ({ call, add }) => {
    const id = await add("Ana sings");
    const headers = { "x-request-id": "req_chosen-by-the-client" };
    const replies = [
      await call("GET", `/v1/memories/${id}`, { headers }),
      await call("GET", "/v1/memories/mem_unknown", { headers }),
      await call("GET", "/v1/nowhere", { headers, key: null }),
      await call("GET", "/livez", { headers, key: null }),
      await call("GET", "/readyz", { headers, key: null }),
      await call("GET", "/metrics", { headers, key: null }),
      await call("GET", "/", { headers, key: null }),
      await call("GET", "/v1/openapi.json", { headers, key: null }),
      await call("HEAD", "/v1/health", { headers }),
    ];
    const ids = replies.map((reply) => reply.headers.get("x-request-id")!);
    for (const id of ids) match(id, /^req_[0-9a-hjkmnp-tv-z]{26}$/);
    strictEqual(new Set(ids).size, ids.length);
    deepStrictEqual(ids, ids.toSorted(), "later requests have later ids");
  });
});

Deno.test("a record in a different project returns the same error as an unknown id", async () => {
  await withServer(async ({ call, add, createKey }) => {
    const theirs = await add("Ana's own");
    const key = await createKey("elsewhere");
    const body = { content: "mine now", version: "2020-01-01" };
    const requests = [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["GET", "/history"],
      ["GET", "/feedback"],
      ["DELETE", "/feedback"],
    ] as const;
    for (const [method, rest] of requests) {
      const options = method === "PUT" ? { key, body } : { key };
      const foreign = await call(method, `/v1/memories/${theirs}${rest}`, options);
      const unknown = await call(method, `/v1/memories/mem_unknown${rest}`, options);
      notStrictEqual(foreign.json.request_id, unknown.json.request_id);
      const shown = (reply: typeof foreign, id: string) => [
        reply.status,
        { ...reply.json, request_id: "", message: reply.json.message.replace(id, "ID") },
      ];
      deepStrictEqual(shown(foreign, theirs), shown(unknown, "mem_unknown"));
    }
  });
});

Deno.test("a repeated query parameter returns 400 and changes nothing", async () => {
  await withServer(async ({ call, add }) => {
    const ids = [await add("Ana sings"), await add("Bo hums", { user_id: "bo" })];
    for (
      const [method, path, ...names] of [
        ["DELETE", "/v1/memories?user_id=ana&user_id=bo", "user_id"],
        ["GET", "/v1/memories?user_id=ana&limit=1&limit=2&limit=3", "limit"],
        ["GET", "/v1/operations?status=dead&status=dead&kind=export&kind=import", "status", "kind"],
      ] as const
    ) {
      const { status, json } = await call(method, path);
      strictEqual(status, 400, path);
      deepStrictEqual(
        json.details.issues,
        names.map((name) => ({ path: name, message: "Must not be repeated" })),
      );
    }
    for (const id of ids) strictEqual((await call("GET", `/v1/memories/${id}`)).status, 200);
    const unknown = await call("GET", "/v1/memories?user_id=ana&from=a&from=b");
    strictEqual(unknown.status, 200);
  });
});
