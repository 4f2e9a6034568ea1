/** Tests for liveness and readiness while the service starts and stops. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { openServices } from "../../src/server/services.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("GET /readyz returns 503 while the service starts or stops, and GET /livez returns 200", async () => {
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
  const send = async (path: string) => await app.request(`http://localhost${path}`);
  try {
    deepStrictEqual([(await send("/livez")).status, (await send("/readyz")).status], [200, 503]);
    state = "ready";
    deepStrictEqual([(await send("/livez")).status, (await send("/readyz")).status], [200, 200]);
    strictEqual((await send("/metrics")).status, 404, "metrics are off by default");
    state = "stopping";
    deepStrictEqual([(await send("/livez")).status, (await send("/readyz")).status], [200, 503]);
    for (const path of ["/v1/memories", "/mcp"]) {
      const refused = await send(path);
      strictEqual(refused.status, 503);
      ok(Number(refused.headers.get("retry-after")) > 0);
      strictEqual((await refused.json()).code, "SERVICE_STOPPING");
    }
  } finally {
    await services.appContext.store.close();
    await rm(directory);
  }
});
