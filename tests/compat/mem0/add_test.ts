/** Tests adds through the mem0-compatible API, and that the records are those of the API. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../../testing/harness.ts";
import { addText, checkError, inferAndWait, mem0, mem0Json } from "./mem0.ts";

Deno.test("a verbatim add through mem0's API stores the same record as the API", async () => {
  await withServer(async (server) => {
    const added = await mem0Json(server, "POST", "/v3/memories/add/", {
      body: {
        messages: [{ role: "user", content: "Ana restores harpsichords" }],
        user_id: "ana",
        run_id: 7,
        app_id: "workshop",
        metadata: { hive: 3 },
        infer: false,
        timestamp: 1_700_000_000,
        expiration_date: "2999-12-31",
      },
    });
    const [{ id }] = added.results;
    deepStrictEqual(added, {
      results: [{
        id,
        memory: "Ana restores harpsichords",
        event: "ADD",
        data: { memory: "Ana restores harpsichords" },
      }],
    });
    const own = (await server.call("GET", `/v1/memories/${id}`)).json;
    deepStrictEqual(
      [own.memory, own.user_id, own.agent_id, own.run_id, own.event_date, own.metadata],
      [
        "Ana restores harpsichords",
        "ana",
        null,
        "7",
        "2023-11-14T22:13:20.000Z",
        { hive: 3, app_id: "workshop", expiration_date: "2999-12-31" },
      ],
    );
    const { hash, ...shown } = await mem0Json(server, "GET", `/v1/memories/${id}/`);
    deepStrictEqual(shown, {
      id,
      memory: "Ana restores harpsichords",
      user_id: "ana",
      agent_id: null,
      app_id: "workshop",
      run_id: "7",
      session_id: "7",
      expiration_date: "2999-12-31",
      categories: [],
      metadata: { hive: 3 },
      created_at: own.created_at,
      updated_at: own.updated_at,
    });
    strictEqual(hash.length, 32);
  });
});

Deno.test("an inferred add through mem0's API needs no Idempotency-Key and reports its event", async () => {
  await withServer(async (server) => {
    const body = { messages: "I live in Lisbon.", filters: { user_id: "ana" } };
    const add = () => mem0Json(server, "POST", "/v3/memories/add/", { body });
    const [first, second] = [await add(), await add()];
    strictEqual(first.status, "PENDING");
    ok(first.event_id !== second.event_id, "each add without a key is an add of its own");

    const event = await inferAndWait(server, "I play the oboe.");
    strictEqual(event.event_type, "ADD");
    strictEqual(event.error, null);
    const [{ id, memory, data }] = event.results;
    strictEqual(data.memory, memory);
    const own = (await server.call("GET", `/v1/memories/${id}`)).json;
    deepStrictEqual([own.memory, own.user_id], [memory, "ana"]);
    const inV1 = (await server.call("GET", `/v1/events/${event.id}`)).json;
    strictEqual(inV1.status, "SUCCEEDED");

    const events = await mem0Json(server, "GET", "/v1/events/?page_size=2");
    deepStrictEqual([events.count, events.results.length], [3, 2]);
    ok(
      events.next.endsWith("/mem0/v1/events/?page_size=2&page=2") || events.next.includes("page=2"),
    );
  });
});

Deno.test("an Idempotency-Key makes an add through mem0's API run once", async () => {
  await withServer(async (server) => {
    const body = { messages: "Tea", user_id: "ana", infer: false };
    const headers = { "idempotency-key": "one" };
    const send = () => mem0(server, "POST", "/v3/memories/add/", { body, headers });
    const [first, second] = [await send(), await send()];
    deepStrictEqual(second.json, first.json);
    strictEqual(second.headers.get("idempotency-replayed"), "true");
    const other = { ...body, messages: "Coffee" };
    const conflict = await mem0(server, "POST", "/v3/memories/add/", { body: other, headers });
    checkError(conflict, 409, "IDEMPOTENCY_CONFLICT");
  });
});

Deno.test("an inferred add to the paths of mem0's own server returns its results", async () => {
  await withServer(async (server) => {
    const body = { messages: [{ role: "user", content: "I live in Lisbon." }], user_id: "ana" };
    const headers = { "idempotency-key": "one" };
    const send = () => mem0Json(server, "POST", "/memories", { body, headers });
    const added = await send();
    strictEqual(added.results[0].event, "ADD");
    ok(added.results[0].memory.includes("Lisbon"));
    deepStrictEqual(await send(), added);
  });
});

Deno.test("an add leaves out what isn't text, and names it and the fields without effect", async () => {
  await withServer(async (server) => {
    const image = { type: "image_url", image_url: { url: "https://pictures.example/1.png" } };
    const added = await mem0Json(server, "POST", "/v3/memories/add/", {
      body: {
        messages: [
          { role: "user", content: [{ type: "text", text: "Ana likes tea" }, image] },
          { role: "user", content: image },
          { role: "assistant", content: null, tool_calls: [] },
        ],
        user_id: "ana",
        infer: false,
        custom_instructions: "Only drinks",
        immutable: false,
        output_format: "v1.1",
        includes: null,
      },
    });
    deepStrictEqual(added.results.map(({ memory }: { memory: string }) => memory), [
      "Ana likes tea",
    ]);
    deepStrictEqual(added.ignored, [
      "custom_instructions",
      "messages.0.content.1",
      "messages.1.content.0",
    ]);
  });
});

Deno.test("an add for an app alone is stored for an agent of that name", async () => {
  await withServer(async (server) => {
    const id = await addText(server, "The workshop opens at nine", { app_id: "workshop" });
    const own = (await server.call("GET", `/v1/memories/${id}`)).json;
    deepStrictEqual([own.agent_id, own.metadata], ["workshop", { app_id: "workshop" }]);
    const body = { query: "when does it open", filters: { app_id: "workshop" } };
    const found = await mem0Json(server, "POST", "/v3/memories/search/", { body });
    deepStrictEqual(found.results.map((memory: { id: string }) => memory.id), [id]);
  });
});

Deno.test("an invalid add through mem0's API names the field and stores nothing", async (t) => {
  const valid = { messages: "Tea", user_id: "ana", infer: false };
  const cases: readonly (readonly [field: string, body: unknown])[] = [
    ["messages", { user_id: "ana" }],
    ["messages", { ...valid, messages: [] }],
    ["messages", { ...valid, messages: "  " }],
    ["messages", { ...valid, messages: 7 }],
    ["messages.0.role", { ...valid, messages: [{ content: "Tea" }] }],
    ["messages.0.role", { ...valid, messages: [{ role: "robot", content: "Tea" }] }],
    ["messages.0.content", { ...valid, messages: [{ role: "user", content: 7 }] }],
    ["user_id", { messages: "Tea", infer: false }],
    ["user_id", { ...valid, user_id: "a\u0000b" }],
    ["user_id", { ...valid, user_id: "x".repeat(257) }],
    ["filters.user_id", { messages: "Tea", filters: { user_id: { in: ["ana"] } } }],
    ["filters", { messages: "Tea", filters: { AND: [{ user_id: "ana" }] } }],
    ["metadata", { ...valid, metadata: [] }],
    ["infer", { ...valid, infer: "no" }],
    ["timestamp", { ...valid, timestamp: "soon" }],
    ["timestamp", { ...valid, timestamp: 1e15 }],
    ["expiration_date", { ...valid, expiration_date: "2026-13-01" }],
    ["expiration_date", { ...valid, expiration_date: "2026-12-01T00:00:00Z" }],
  ];
  await withServer(async (server) => {
    for (const [field, body] of cases) {
      await t.step(`${field}: ${JSON.stringify(body).slice(0, 80)}`, async () => {
        const reply = await mem0(server, "POST", "/v3/memories/add/", { body });
        checkError(reply, 400, "INVALID_REQUEST");
        strictEqual(reply.json.details.issues[0].path, field, reply.text);
      });
    }
    const { count } = await mem0Json(server, "POST", "/v3/memories/", { body: {} });
    strictEqual(count, 0);
  });
});
