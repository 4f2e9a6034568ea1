/**
 * Tests the endpoints that don't need a key: liveness, readiness, metrics and the OpenAPI document.
 */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";

Deno.test("GET /livez and GET /readyz require no key and return only the status", async () => {
  await withServer(async ({ call }) => {
    for (const path of ["/livez", "/readyz"]) {
      const reply = await call("GET", path, { key: null });
      strictEqual(reply.status, 200);
      deepStrictEqual(reply.json, { status: "ok" });
    }
  });
});

Deno.test("GET /metrics counts requests by route and reveals nothing else about them", async () => {
  await withServer(async ({ call, add }) => {
    const id = await add("Ana whittles", { user_id: "a-user-of-note" });
    await call("GET", `/v1/memories/${id}`);
    await call("GET", "/v1/memories?user_id=a-user-of-note");
    await call("GET", "/v1/no-such-place");
    const { text, headers } = await call("GET", "/metrics", { key: null });
    match(headers.get("content-type")!, /^text\/plain; version=0\.0\.4/);
    match(text, /commonplace_http_requests_total\{.*route="\/v1\/memories\/\{id\}".*\} 1\n/);
    match(text, /# TYPE commonplace_http_request_seconds histogram/);
    match(text, /process_resident_memory_bytes \d+/);
    for (const hidden of [id, "a-user-of-note", "no-such-place", "whittles", "cpl_"]) {
      ok(!text.includes(hidden), hidden);
    }
  });
});

Deno.test("GET /metrics counts requests without a key by route", async () => {
  await withServer(async ({ call }) => {
    const routes = ["/livez", "/readyz", "/v1/openapi.json", "/metrics"];
    for (const path of [...routes, "/no-such-place"]) await call("GET", path, { key: null });
    const { text } = await call("GET", "/metrics", { key: null });
    for (const route of [...routes, "unmatched"]) {
      ok(text.includes(`{method="GET",route="${route}",status=`), route);
    }
    match(text, /route="unmatched",status="404"\} 1\n/);
  });
});

Deno.test('GET /metrics counts unknown methods as "other"', async () => {
  await withServer(async ({ call }) => {
    for (const method of ["BREW", "X1", "X2"]) await call(method, "/livez", { key: null });
    const { text } = await call("GET", "/metrics", { key: null });
    match(text, /commonplace_http_requests_total\{method="other",.*status="405"\} 3\n/);
    ok(!/BREW|X1|X2/.test(text));
  });
});

Deno.test("GET /v1/openapi.json requires no key and contains none", async () => {
  await withServer(async ({ call, key }) => {
    const reply = await call("GET", "/v1/openapi.json", { key: null });
    strictEqual(reply.status, 200);
    match(reply.headers.get("content-type")!, /^application\/json/);
    ok(!reply.text.includes(key));
    const wrong = await call("GET", "/v1/openapi.json", { key: "cpl_not-a-key-at-all" });
    strictEqual(wrong.status, 200, "an invalid key is ignored");
    const open = Object.entries<Record<string, { security?: [] }>>(reply.json.paths)
      .filter(([, operations]) => Object.values(operations).some(({ security }) => security));
    deepStrictEqual(
      open.map(([path]) => path),
      ["/v1/openapi.json"],
      "only this path is declared as public",
    );
    deepStrictEqual(open[0]![1]["get"]!.security, []);
  });
});
