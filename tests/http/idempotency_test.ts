/** Tests idempotency keys: a command runs only once, and every retry gets the first response. */

import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";

const REPLAYED = "idempotency-replayed";

function add(server: TestServer, idempotencyKey: string, content: string, more = {}) {
  return server.call("POST", "/v1/memories", {
    body: { content, user_id: "ana", infer: false },
    headers: { "idempotency-key": idempotencyKey },
    ...more,
  });
}

async function count(server: TestServer): Promise<number> {
  return (await server.call("GET", "/v1/memories?user_id=ana&limit=100")).json.results.length;
}

Deno.test("a repeated command with the same key returns the first response and runs only once", async () => {
  await withServer(async (server) => {
    const first = await add(server, "one", "Ana dives");
    strictEqual(first.headers.get(REPLAYED), null);
    const again = await add(server, "one", "Ana dives");
    strictEqual(again.status, 200);
    strictEqual(again.text, first.text);
    strictEqual(again.headers.get(REPLAYED), "true");
    notStrictEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
    strictEqual(await count(server), 1);
  });
});

Deno.test("a replay has the same status as the first response: 202 stays 202, with the same event", async () => {
  await withServer(async (server) => {
    const send = () =>
      server.call("POST", "/v1/memories", {
        body: { content: "Ana dives", user_id: "ana" },
        headers: { "idempotency-key": "inferred" },
      });
    const [first, again] = [await send(), await send()];
    deepStrictEqual([again.status, again.json], [202, first.json]);
    strictEqual((await server.call("GET", "/v1/events")).json.results.length, 1);
  });
});

Deno.test("idempotency keys survive a restart", async () => {
  await withServer(async (server) => {
    const first = await add(server, "one", "Ana dives");
    await server.restart();
    strictEqual((await add(server, "one", "Ana dives")).text, first.text);
    strictEqual(await count(server), 1);
  });
});

Deno.test("a key that was already used for a different command returns 409 and changes nothing", async (t) => {
  await withServer(async (server) => {
    const id = (await add(server, "one", "Ana dives")).json.results[0].id;
    const headers = { "idempotency-key": "one" };
    const others: [string, string, string, unknown][] = [
      ["another body", "POST", "/v1/memories", { content: "no", user_id: "ana", infer: false }],
      ["another path", "PUT", `/v1/memories/${id}`, { content: "no" }],
      ["another method", "DELETE", `/v1/memories/${id}`, undefined],
      ["another query", "DELETE", "/v1/memories?user_id=ana", undefined],
    ];
    for (const [when, method, path, body] of others) {
      await t.step(when, async () => {
        const reply = await server.call(method, path, { body, headers });
        strictEqual(reply.status, 409);
        strictEqual(reply.json.code, "IDEMPOTENCY_CONFLICT");
      });
    }
    strictEqual((await server.call("GET", `/v1/memories/${id}`)).json.memory, "Ana dives");
  });
});

Deno.test("concurrent requests with the same key run once and get the same response", async () => {
  await withServer(async (server) => {
    const replies = await Promise.all(
      Array.from({ length: 24 }, () => add(server, "burst", "Ana dives")),
    );
    strictEqual(new Set(replies.map(({ text }) => text)).size, 1);
    const fresh = replies.filter(({ headers }) => headers.get(REPLAYED) === null);
    strictEqual(fresh.length, 1);
    strictEqual(await count(server), 1);
  });
});

Deno.test("of two different concurrent commands with the same key, one runs and the other returns 409", async () => {
  await withServer(async (server) => {
    const replies = await Promise.all([
      add(server, "race", "Ana dives"),
      add(server, "race", "Ana climbs"),
    ]);
    deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 409]);
    strictEqual(await count(server), 1);
  });
});

Deno.test("a failed request leaves its key unused", async () => {
  await withServer(async (server) => {
    const headers = { "idempotency-key": "again" };
    const refused = await server.call("POST", "/v1/memories", {
      body: { content: " ", user_id: "ana", infer: false },
      headers,
    });
    strictEqual(refused.status, 400);
    const missing = await server.call("DELETE", "/v1/memories/mem_unknown", { headers });
    strictEqual(missing.status, 404);
    const id = await server.add("Ana dives");
    const stale = await server.call("PUT", `/v1/memories/${id}`, {
      body: { content: "x", version: "2020-01-01" },
      headers,
    });
    strictEqual(stale.status, 409);
    strictEqual(stale.json.code, "VERSION_CONFLICT");
    strictEqual((await add(server, "again", "Ana swims")).status, 200);
  });
});

Deno.test("every kind of change accepts a key and is replayed with it", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana dives");
    const path = `/v1/memories/${id}`;
    const changes: [string, string, unknown][] = [
      ["PUT", path, { content: "Ana dives deep" }],
      ["POST", `${path}/feedback`, { rating: "positive" }],
      ["DELETE", `${path}/feedback`, undefined],
      ["DELETE", path, undefined],
      ["DELETE", "/v1/memories?user_id=ana", undefined],
    ];
    for (const [index, [method, where, body]] of changes.entries()) {
      const headers = { "idempotency-key": `change ${index}` };
      const first = await server.call(method, where, { body, headers });
      const again = await server.call(method, where, { body, headers });
      strictEqual(first.status, 200, first.text);
      deepStrictEqual([again.status, again.text], [first.status, first.text]);
      strictEqual(again.headers.get(REPLAYED), "true");
    }
    const { json } = await server.call("GET", `${path}/history`);
    deepStrictEqual(
      json.results.map((record: { event: string }) => record.event),
      ["ADD", "UPDATE", "FEEDBACK", "FEEDBACK", "DELETE"],
    );
  });
});

Deno.test("idempotency keys in different projects are independent", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("elsewhere");
    const ours = await add(server, "shared", "Ana dives");
    const theirs = await add(server, "shared", "Bo climbs", { key });
    strictEqual(theirs.status, 200);
    strictEqual(theirs.headers.get(REPLAYED), null);
    notStrictEqual(theirs.json.results[0].id, ours.json.results[0].id);
  });
});

Deno.test("a different API key for the same project can replay a command", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("default", "memory:write");
    const first = await add(server, "shared", "Ana dives");
    strictEqual((await add(server, "shared", "Ana dives", { key })).text, first.text);
  });
});

Deno.test("POST /v1/memories returns 400 for an invalid Idempotency-Key", async () => {
  await withServer(async (server) => {
    const reply = await add(server, "k".repeat(201), "Ana dives");
    strictEqual(reply.status, 400);
    strictEqual(reply.json.details.issues[0].path, "Idempotency-Key");
  });
});

Deno.test("queries ignore the Idempotency-Key, even an invalid one", async () => {
  await withServer(async (server) => {
    const headers = { "idempotency-key": "k".repeat(500) };
    const paths = ["/v1/memories?user_id=ana", "/v1/entities", "/v1/health"];
    const replies: Reply[] = [];
    for (const path of paths) replies.push(await server.call("GET", path, { headers }));
    deepStrictEqual(replies.map(({ status }) => status), [200, 200, 200]);
    deepStrictEqual(replies.map(({ headers }) => headers.get(REPLAYED)), [null, null, null]);
  });
});
