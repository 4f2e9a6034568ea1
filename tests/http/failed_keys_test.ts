/** Tests rate limiting for invalid API keys. */

import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { createApp } from "../../src/http/app.ts";
import { FAILED_KEY_LIMIT } from "../../src/http/authenticate.ts";
import { createBaseUrl } from "../../src/http/base_url.ts";
import { FailureLimiter } from "../../src/kernel/http/rate_limiter.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { mountMcp } from "../../src/mcp/http.ts";
import { bootstrap } from "../../src/server/bootstrap.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const ADDRESS = "192.0.2.1";
const KEY = "cpl_test-key-of-the-default-project";
const WRONG = "Bearer cpl_wrong";

type SendRequest = (authorization?: string, address?: string, path?: string) => Promise<Response>;

/** Runs a test with an app that has all endpoints and MCP, on a clock controlled by the test. */
async function withApp(
  work: (send: SendRequest, clock: { pass(milliseconds: number): void }) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  let now = 1_000_000;
  const clock = { now: () => now };
  const log = jsonLog(clock, "off", () => {});
  const deps = { ...services, failedKeys: new FailureLimiter(clock, FAILED_KEY_LIMIT) };
  const endpoints = endpointsOf(services);
  const mcp = mountMcp({
    ...deps,
    endpoints,
    log,
    version: "0",
    baseUrl: createBaseUrl(undefined),
  });
  const app = createApp({
    ...deps,
    log,
    endpoints,
    mounts: [mcp.mount],
    version: "0",
    metrics: null,
    state: () => "ready",
  });
  const send: SendRequest = async (authorization, address = ADDRESS, path = "/v1/entities") =>
    await app.request(`http://localhost${path}`, {
      method: path === "/mcp" ? "POST" : "GET",
      ...authorization === undefined ? {} : { headers: { authorization } },
    }, { address });
  try {
    await bootstrap(services, KEY);
    await work(send, { pass: (milliseconds) => void (now += milliseconds) });
  } finally {
    await mcp.close();
    await closeServices(services);
    await rm(directory);
  }
}

const statusAndCode = async (reply: Response) => [reply.status, (await reply.json()).code];

Deno.test("authenticate() limits an address with too many invalid keys, but not the valid keys it uses", async () => {
  await withApp(async (send, clock) => {
    const wrong = [WRONG, "Bearer no-key-at-all", "Basic YTpi", `Bearer ${KEY}x`];
    for (let count = 0; count < LIMITS.failedKeysPerMinute; count++) {
      const path = count % 2 === 0 ? "/mcp" : "/v1/entities";
      strictEqual((await send(wrong[count % wrong.length], ADDRESS, path)).status, 401);
      if (count === 0) clock.pass(20_000);
    }

    for (const path of ["/v1/entities", "/mcp"]) {
      const refused = await send(WRONG, ADDRESS, path);
      deepStrictEqual(await statusAndCode(refused), [429, "RATE_LIMITED"], path);
      const headers = ["retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
      deepStrictEqual(headers.map((name) => refused.headers.get(name)), ["40", "600", "0", "40"]);
    }
    strictEqual((await send(`Bearer ${KEY}`)).status, 200, "a valid key passes");
    strictEqual((await send(WRONG)).status, 429, "a valid key doesn't reset the limit");
    deepStrictEqual(
      await statusAndCode(await send()),
      [401, "INVALID_API_KEY"],
      "a missing key isn't counted",
    );
    deepStrictEqual(await statusAndCode(await send(WRONG, "192.0.2.2")), [401, "INVALID_API_KEY"]);

    clock.pass(40_000);
    strictEqual((await send(WRONG)).status, 401, "the first failure has expired");
    strictEqual((await send(WRONG)).status, 429, "the other failures have not");
    clock.pass(60_000);
    strictEqual((await send(WRONG)).status, 401);
  });
});

Deno.test("POST /mcp reports an expired access token even from an address with too many invalid keys", async () => {
  await withApp(async (send) => {
    for (let count = 0; count < LIMITS.failedKeysPerMinute; count++) await send(WRONG);
    strictEqual((await send(WRONG, ADDRESS, "/mcp")).status, 429);
    const expired = await send("Bearer cpt_expired", ADDRESS, "/mcp");
    deepStrictEqual(await statusAndCode(expired), [401, "INVALID_API_KEY"]);
  });
});

Deno.test("FailureLimiter keeps only the failures that decide about the limit", () => {
  let now = 0;
  const limiter = new FailureLimiter({ now: () => now }, { maxFailures: 2, windowMs: 60_000 });
  // Without the bound, this takes hours.
  for (let count = 0; count < 300_000; count++) limiter.record(ADDRESS);
  now = 20_000;
  limiter.record(ADDRESS);
  throws(() => limiter.requireAllowed(ADDRESS, "Too many"), { retryAfter: 40 });
  now = 60_000;
  limiter.requireAllowed(ADDRESS, "One failure is left");
});

Deno.test("authenticate() never limits requests without a key", async () => {
  await withApp(async (send) => {
    for (let count = 0; count <= LIMITS.failedKeysPerMinute; count++) {
      strictEqual((await send()).status, 401);
    }
    strictEqual((await send(WRONG)).status, 401);
  });
});
