/** Tests that a text that can't be read never stops the ones behind it. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { BuiltinWorkers } from "../../src/inference/builtin_workers.ts";
import { BUILTIN_CONFIG } from "../../src/inference/service.ts";
import { withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import {
  completion,
  ENDLESS_LIST,
  factsCompletion,
  inferMemories,
  type ProviderReply,
  withProvider,
} from "./provider.ts";

const AT = "2026-03-18T09:00:00.000Z";

const message = (content: string) => ({ role: "user", content });

Deno.test("POST /v1/memories keeps what the other messages yield, and warns of the unread one", async () => {
  await withServer(async (server) => {
    const { call } = server;
    const event = await inferMemories(call, [
      "I work as a nurse.",
      ENDLESS_LIST,
      "I live in Porto.",
    ]);
    strictEqual(event.status, "SUCCEEDED");
    deepStrictEqual(
      event.results.map(({ memory }: { memory: string }) => memory),
      ["User works as a nurse", "User lives in Porto"],
    );
    deepStrictEqual(event.warnings, [
      { code: "MESSAGES_UNREAD", reason: "OUTPUT_LIMIT", messages: [1] },
    ]);
    strictEqual((await call("GET", "/v1/health")).json.unread_texts, 1);
    const { results } = (await call("GET", "/v1/inference/unread")).json;
    deepStrictEqual(
      results.map((
        one: Record<string, unknown>,
      ) => [one["record_id"], one["position"], one["code"]]),
      [[event.id, 1, "OUTPUT_LIMIT"]],
    );
    ok(!JSON.stringify([event, results]).includes("boba"));
  });
});

Deno.test("GET /v1/state follows the memories behind one that can't be read", async () => {
  await withServer(async ({ call }) => {
    const add = async (content: string) =>
      (await call("POST", "/v1/memories", { body: { user_id: "ana", content, infer: false } }))
        .json.results[0].id as string;
    const unread = await add(ENDLESS_LIST);
    await add("I live in Porto.");
    const state = async () =>
      (await call("GET", "/v1/state?user_id=ana&subject=user&attribute=lives_in")).json;
    await waitUntil(state, (found) => JSON.stringify(found).includes("Porto"));
    const listed = (await call("GET", "/v1/inference/unread")).json.results;
    deepStrictEqual(listed.map((one: { record_id: string }) => one.record_id), [unread]);
    await call("DELETE", `/v1/memories/${unread}`);
    strictEqual((await call("GET", "/v1/health")).json.unread_texts, 0);
  });
});

Deno.test("GET /v1/inference/unread lists only the project's own texts, page by page", async () => {
  await withServer(async (server) => {
    const { call } = server;
    await inferMemories(call, [ENDLESS_LIST, "Hi!", ENDLESS_LIST]);
    const first = (await call("GET", "/v1/inference/unread?limit=1")).json;
    const next =
      (await call("GET", `/v1/inference/unread?limit=1&cursor=${first.next_cursor}`)).json;
    deepStrictEqual(
      [...first.results, ...next.results].map(({ position }: { position: number }) => position),
      [0, 2],
    );
    strictEqual((await call("GET", "/v1/inference/unread?limit=0")).status, 400);
  });
});

Deno.test("POST /v1/inference/explain says why a text can't be read", async () => {
  await withServer(async ({ call }) => {
    const { status, json } = await call("POST", "/v1/inference/explain", {
      body: { text: ENDLESS_LIST },
    });
    deepStrictEqual([status, json.code, json.details.issues], [400, "INVALID_REQUEST", [
      { path: "text", message: "The text can't be read (OUTPUT_LIMIT)" },
    ]]);
  });
});

Deno.test("BuiltinWorkers replaces a thread that doesn't respond in time", async () => {
  const hasty = new BuiltinWorkers({ ...BUILTIN_CONFIG, limitOf: () => 1 });
  const long = "I live in Porto. ".repeat(500);
  const messages = [message(long), message(long)];
  try {
    const { facts, unread } = await hasty.extract({ messages, eventDate: null, requestTime: AT });
    deepStrictEqual(facts, []);
    deepStrictEqual(new Set(unread.map(({ code }) => code)), new Set(["TIME_LIMIT"]));
    deepStrictEqual(await Array.fromAsync(hasty.claims([{ text: long, date: AT }])), [
      [{ unread: "TIME_LIMIT" }],
    ]);
  } finally {
    hasty.close();
  }
});

Deno.test("BuiltinWorkers stops looking for slow messages after three, or when it's aborted", async () => {
  let read = 0;
  const hasty = new BuiltinWorkers({ ...BUILTIN_CONFIG, limitOf: () => (read++, 1) });
  const add = { eventDate: null, requestTime: AT };
  const long = message("I live in Porto. ".repeat(500));
  try {
    const messages = Array.from({ length: 5 }, () => long);
    const { unread } = await hasty.extract({ ...add, messages });
    deepStrictEqual(unread.map(({ code }) => code), messages.map(() => "TIME_LIMIT"));
    // All of them together, three alone, and what is left.
    strictEqual(read, 5);
    await hasty.extract({ ...add, messages: [long] });
    strictEqual(read, 6);
    const stopped = AbortSignal.abort();
    await rejects(hasty.extract({ ...add, messages }, stopped), { name: "AbortError" });
    strictEqual(read, 7);
  } finally {
    hasty.close();
  }
});

Deno.test("BuiltinWorkers doesn't count the start of a thread as time for reading", async () => {
  // Starting takes longer than this, reading much less.
  const workers = new BuiltinWorkers({ ...BUILTIN_CONFIG, limitOf: () => 300 });
  try {
    // On a busy machine, an attempt can be too slow. If the start counted, all of them would be.
    await waitUntil(
      () => Array.fromAsync(workers.claims([{ text: "I live in Porto.", date: AT }])),
      ([readings]) => "claims" in readings![0]!,
    );
  } finally {
    workers.close();
  }
});

Deno.test("POST /v1/memories finds the message that a provider can't read", async () => {
  const reply = (_call: number, body: string): ProviderReply => {
    const sent = JSON.parse(body).messages.at(-1).content as string;
    if (sent.includes("nurse")) return completion("no JSON");
    const facts = factsCompletion(["User lives in Porto", "lives_in", "Porto"]);
    return JSON.parse(JSON.stringify(facts).replaceAll('\\"source\\":0', '\\"source\\":1'));
  };
  await withProvider(reply, async (inference) => {
    await withServer(async ({ call }) => {
      const event = await inferMemories(call, ["I work as a nurse.", "I live in Porto."]);
      strictEqual(event.status, "SUCCEEDED");
      strictEqual(event.attempts, 1);
      deepStrictEqual(event.warnings, [
        { code: "MESSAGES_UNREAD", reason: "PROVIDER_INVALID_RESPONSE", messages: [0] },
      ]);
    }, { inference });
  });
});
