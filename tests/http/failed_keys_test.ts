/** What becomes of those who bring keys that fail, again and again. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import { FAILED_KEY_LIMIT } from "../../src/http/authenticate.ts";
import { FailureLimiter } from "../../src/kernel/rate_limiter.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { mountMcp } from "../../src/mcp/http.ts";
import { bootstrap } from "../../src/server/bootstrap.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { KEY } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const HERE = "192.0.2.1";
const WRONG = "Bearer cpl_wrong";

type Ask = (authorization?: string, address?: string, path?: string) => Promise<Response>;

/** An app with every endpoint and MCP, on a clock that the test moves. */
async function withApp(
  work: (ask: Ask, clock: { pass(milliseconds: number): void }) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  let now = 1_000_000;
  const clock = { now: () => now };
  const log = jsonLog(clock, "off", () => {});
  const deps = { ...services, failedKeys: new FailureLimiter(clock, FAILED_KEY_LIMIT) };
  const endpoints = endpointsOf(services);
  const mcp = mountMcp({ ...deps, endpoints, log, version: "0" });
  const app = createApp({
    ...deps,
    log,
    endpoints,
    mounts: [mcp.mount],
    version: "0",
    metrics: null,
    state: () => "ready",
  });
  const ask: Ask = async (authorization, address = HERE, path = "/v1/entities") =>
    await app.request(`http://localhost${path}`, {
      method: path === "/mcp" ? "POST" : "GET",
      ...authorization === undefined ? {} : { headers: { authorization } },
    }, { address });
  try {
    await bootstrap(services, KEY);
    await work(ask, { pass: (milliseconds) => void (now += milliseconds) });
  } finally {
    await mcp.close();
    await closeServices(services);
    await rm(directory);
  }
}

const told = async (reply: Response) => [reply.status, (await reply.json()).code];

Deno.test("an address that brings too many wrong keys waits, with those keys alone", async () => {
  await withApp(async (ask, clock) => {
    const wrong = [WRONG, "Bearer no-key-at-all", "Basic YTpi", `Bearer ${KEY}x`];
    for (let count = 0; count < LIMITS.failedKeysPerMinute; count++) {
      const path = count % 2 === 0 ? "/mcp" : "/v1/entities";
      strictEqual((await ask(wrong[count % wrong.length], HERE, path)).status, 401);
      if (count === 0) clock.pass(20_000);
    }

    for (const path of ["/v1/entities", "/mcp"]) {
      const refused = await ask(WRONG, HERE, path);
      deepStrictEqual(await told(refused), [429, "RATE_LIMITED"], path);
      const headers = ["retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
      deepStrictEqual(headers.map((name) => refused.headers.get(name)), ["40", "600", "0", "40"]);
    }
    strictEqual((await ask(`Bearer ${KEY}`)).status, 200, "a right key passes");
    strictEqual((await ask(WRONG)).status, 429, "and forgives nothing");
    deepStrictEqual(await told(await ask()), [401, "INVALID_API_KEY"], "no key is no guess");
    deepStrictEqual(await told(await ask(WRONG, "192.0.2.2")), [401, "INVALID_API_KEY"]);

    clock.pass(40_000);
    strictEqual((await ask(WRONG)).status, 401, "the first failure is a minute old");
    strictEqual((await ask(WRONG)).status, 429, "the others are not");
    clock.pass(60_000);
    strictEqual((await ask(WRONG)).status, 401);
  });
});

Deno.test("requests without a key are 401, however many they are", async () => {
  await withApp(async (ask) => {
    for (let count = 0; count <= LIMITS.failedKeysPerMinute; count++) {
      strictEqual((await ask()).status, 401);
    }
    strictEqual((await ask(WRONG)).status, 401);
  });
});
