/** What stands outside of /v1: liveness, readiness, metrics, and the door. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { openServices } from "../../src/server/services.ts";
import { withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("probes need no key and tell nothing but whether", async () => {
  await withServer(async ({ call }) => {
    for (const path of ["/livez", "/readyz"]) {
      const reply = await call("GET", path, { key: null });
      strictEqual(reply.status, 200);
      deepStrictEqual(reply.json, { status: "ok" });
    }
  });
});

Deno.test("metrics count requests by route, never by what was asked for", async () => {
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

Deno.test("metrics and logs tell methods apart that there are, and no invented ones", async () => {
  await withServer(async ({ call }) => {
    for (const method of ["BREW", "X1", "X2"]) await call(method, "/livez", { key: null });
    const { text } = await call("GET", "/metrics", { key: null });
    match(text, /commonplace_http_requests_total\{method="other",.*status="405"\} 3\n/);
    ok(!/BREW|X1|X2/.test(text));
  });
});

Deno.test("while the service starts or stops it is alive, not ready, and says so", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  let state: "starting" | "ready" | "stopping" = "starting";
  const app = createApp({
    ...services,
    log: jsonLog(systemClock(), "off", () => {}),
    endpoints: [],
    mounts: [],
    version: "0",
    metrics: null,
    state: () => state,
  });
  const ask = async (path: string) => await app.request(`http://localhost${path}`);
  try {
    deepStrictEqual([(await ask("/livez")).status, (await ask("/readyz")).status], [200, 503]);
    state = "ready";
    deepStrictEqual([(await ask("/livez")).status, (await ask("/readyz")).status], [200, 200]);
    strictEqual((await ask("/metrics")).status, 404, "metrics are off unless asked for");
    state = "stopping";
    deepStrictEqual([(await ask("/livez")).status, (await ask("/readyz")).status], [200, 503]);
    for (const path of ["/v1/memories", "/mcp"]) {
      const refused = await ask(path);
      strictEqual(refused.status, 503);
      ok(Number(refused.headers.get("retry-after")) > 0);
      strictEqual((await refused.json()).code, "SERVICE_STOPPING");
    }
  } finally {
    await services.appContext.store.close();
    await rm(directory);
  }
});
