/** Tests that MCP is loaded by the first message. */

import { deepStrictEqual } from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import { createBaseUrl } from "../../src/http/base_url.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { type McpHttpDeps, mountMcp } from "../../src/mcp/http.ts";
import type { McpDeps } from "../../src/mcp/server.ts";
import { bootstrap } from "../../src/server/bootstrap.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const KEY = "cpl_test-key-of-the-default-project";

Deno.test("McpMount.close() succeeds if MCP couldn't be loaded", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  await bootstrap(services, KEY);
  const log = jsonLog(services.appContext.clock, "off", () => {});
  const endpoints = endpointsOf(services);
  const common = { ...services, log, version: "0", baseUrl: createBaseUrl(undefined) };
  const mcp = mountMcp(
    Object.defineProperty({ ...common, endpoints }, "endpoints", {
      get: () => {
        throw new Error("Not loaded");
      },
    }) as McpDeps & McpHttpDeps,
  );
  const app = createApp({
    ...common,
    endpoints,
    mounts: [mcp.mount],
    metrics: null,
    state: () => "ready",
  });
  const post = async () => {
    const reply = await app.request("http://localhost/mcp", {
      method: "POST",
      headers: { "authorization": `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    }, { address: "192.0.2.1" });
    return [reply.status, (await reply.json()).code];
  };
  try {
    deepStrictEqual(await post(), [500, "INTERNAL_ERROR"]);
    await mcp.close();
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});
