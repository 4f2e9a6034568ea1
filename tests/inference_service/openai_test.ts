/**
 * Tests inferred adds with a model over HTTP: how failures are handled, and that no input is
 * exposed.
 */

import { deepStrictEqual, doesNotMatch, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { startServerProcess } from "../../testing/process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import {
  completion,
  factsCompletion,
  inferMemories,
  queueInference,
  retryNow,
  waitForEvent,
  withProvider,
} from "./provider.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { BUILTIN_CONFIG } from "../../src/inference/service.ts";

const SECRET = "I live in Porto and my cat is called Miso.";
const PORTO = factsCompletion(["User lives in Porto", "lives_in", "Porto"]);

/** Waits for all attempts at an event to fail, then returns the event. */
async function waitForFailure({ call, directory }: TestServer, id: string) {
  const reply = await waitUntil(
    async () => {
      await retryNow(directory);
      return await call("GET", `/v1/events/${id}`);
    },
    ({ json }) => json.status === "FAILED",
  );
  return reply.json;
}

async function assertNothingExposed(server: TestServer, id: string): Promise<void> {
  for (const path of [`/v1/events/${id}`, `/v1/operations/${id}`, "/v1/events", "/v1/operations"]) {
    const { text } = await server.call("GET", path);
    doesNotMatch(text, /Porto|Miso|sk-test/i, path);
  }
  strictEqual((await server.call("GET", "/v1/memories?user_id=ana")).json.results.length, 0);
}

Deno.test("POST /v1/memories stores the facts from a model after a single call", async () => {
  await withProvider(() => PORTO, async (inference, calls) => {
    await withServer(async ({ call }) => {
      const event = await inferMemories(call, SECRET);
      deepStrictEqual(event.results.map(({ memory }: { memory: string }) => memory), [
        "User lives in Porto",
      ]);
      strictEqual(calls(), 1);
      const { engine } = (await call("GET", "/v1/health")).json;
      deepStrictEqual(engine, { configured: true, initialized: true, code: null });
      deepStrictEqual((await inferMemories(call, SECRET)).write_summary.outcome, "NO_MEMORY");
    }, { inference });
  });
});

const FAILURES = [
  ["a response that is not JSON", completion("Porto, I'd say"), "PROVIDER_INVALID_RESPONSE"],
  ["a refusal", completion("", { refusal: "no Porto" }), "PROVIDER_INVALID_RESPONSE"],
  ["a body that is not a completion", { body: "Miso" }, "PROVIDER_INVALID_RESPONSE"],
  ["an overload", { status: 503, body: "Miso is busy" }, "PROVIDER_UNAVAILABLE"],
] as const;

for (const [what, reply, code] of FAILURES) {
  Deno.test(`POST /v1/memories fails the event after all attempts on ${what} and exposes no input`, async () => {
    await withProvider(() => reply, async (inference, calls) => {
      await withServer(async (server) => {
        const event = await waitForFailure(server, await queueInference(server.call, SECRET));
        deepStrictEqual([event.error.code, event.error.attempt, event.attempts], [code, 5, 5]);
        strictEqual("write_summary" in event, false);
        ok(calls() >= 5);
        await assertNothingExposed(server, event.id);
        strictEqual((await server.call("GET", "/v1/health")).json.status, "degraded");
      }, { inference });
    });
  });
}

Deno.test("POST /v1/memories retries a rate-limited call after the requested time", async () => {
  const limited = { status: 429, headers: { "retry-after": "600" }, body: {} };
  await withProvider((n) => n === 0 ? limited : PORTO, async (inference) => {
    await withServer(async (server) => {
      const id = await queueInference(server.call, SECRET);
      const waiting = await waitUntil(
        () => server.call("GET", `/v1/operations/${id}`),
        ({ json }) => json.status === "retry",
      );
      strictEqual(waiting.json.error.code, "PROVIDER_RATE_LIMITED");
      const { next_attempt_at, updated_at } = waiting.json;
      strictEqual(Date.parse(next_attempt_at) - Date.parse(updated_at), 600_000);
      strictEqual((await server.call("GET", `/v1/events/${id}`)).json.status, "RETRYING");
      await retryNow(server.directory);
      strictEqual((await waitForEvent(server.call, id)).status, "SUCCEEDED");
    }, { inference });
  });
});

Deno.test("POST /v1/memories fails at once without a URL, and health is degraded", async () => {
  const inference = {
    ...BUILTIN_CONFIG,
    engine: "openai" as const,
    url: "",
    model: "",
    apiKey: "",
  };
  await withServer(async (server) => {
    const health = (await server.call("GET", "/v1/health")).json;
    strictEqual(health.status, "degraded");
    deepStrictEqual(health.engine, {
      configured: false,
      initialized: false,
      code: "PROVIDER_NOT_CONFIGURED",
    });
    const event = await inferMemories(server.call, SECRET);
    deepStrictEqual([event.status, event.attempts], ["FAILED", 1]);
    strictEqual(event.error.code, "PROVIDER_NOT_CONFIGURED");
    await assertNothingExposed(server, event.id);
  }, { inference });
});

Deno.test("POST /v1/memories stores facts only once if the server is killed during the model call", async () => {
  const directory = makeTempDirSync();
  try {
    await withProvider((n) => n === 0 ? null : PORTO, async ({ url, model }, calls) => {
      const flags = ["--inference", "openai", "--inference-url", url, "--inference-model", model];
      const first = await startServerProcess(directory, ...flags);
      const send = (call: typeof first.call) =>
        call("POST", "/v1/memories", {
          body: { content: SECRET, user_id: "ana" },
          headers: { "idempotency-key": "once" },
        });
      const id = (await send(first.call)).json.event_id;
      await waitUntil(() => Promise.resolve(calls()), (n) => n === 1);
      await first.kill();
      const second = await startServerProcess(directory, ...flags);
      strictEqual((await send(second.call)).json.event_id, id);
      const event = await waitForEvent(second.call, id);
      deepStrictEqual([event.status, event.attempts, event.results.length], ["SUCCEEDED", 2, 1]);
      await second.kill();
      const third = await startServerProcess(directory, ...flags);
      strictEqual((await send(third.call)).json.event_id, id);
      const { results } = (await third.call("GET", "/v1/memories?user_id=ana")).json;
      deepStrictEqual(results.map(({ id }: { id: string }) => id), [event.results[0].id]);
      strictEqual(calls(), 2);
      strictEqual(await third.stop(), 0);
    });
  } finally {
    await rm(directory);
  }
});
