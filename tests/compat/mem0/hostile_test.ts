/** Sends hostile requests to the mem0-compatible API, and ids of another project. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ROUTES } from "../../../src/compat/mem0/routes.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { call, KEY, type Reply, withServer } from "../../../testing/harness.ts";
import { addText, checkError, inferAndWait, mem0, mem0Json } from "./mem0.ts";

const TOKEN = { authorization: `Token ${KEY}` };
const JSON_TYPE = { "content-type": "application/json" };

/** Bodies that no call accepts: their text, and the error. */
const BODIES: readonly (readonly [name: string, text: BodyInit, status: number, code: string])[] = [
  ["no body", "", 400, "INVALID_REQUEST"],
  ["broken JSON", '{"messages": [', 400, "INVALID_REQUEST"],
  ["a list", "[]", 400, "INVALID_REQUEST"],
  ["null", "null", 400, "INVALID_REQUEST"],
  ["text", '"tea"', 400, "INVALID_REQUEST"],
  ["deep nesting", "[".repeat(10_000), 400, "INVALID_REQUEST"],
  ["deep objects", '{"filters":'.repeat(100) + "1" + "}".repeat(100), 400, "INVALID_REQUEST"],
  ["bytes that aren't UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 400, "INVALID_UTF8"],
];

Deno.test("every call under /mem0 that takes a body rejects malformed ones", async (t) => {
  await withServer(async (server) => {
    const id = await addText(server, "Tea");
    const withBody = ROUTES.filter(([, method, path]) =>
      method === "POST" || method === "PUT" || path === "/batch"
    );
    for (const [generation, method, template] of withBody) {
      const path = `/mem0${generation}${template.replace("{id}", id)}`;
      await t.step(`${method} ${path}`, async () => {
        for (const [name, raw, status, code] of BODIES) {
          const headers = { ...TOKEN, ...JSON_TYPE };
          const reply = await call(server.url, method, path, { raw, key: null, headers });
          strictEqual(reply.status, status, `${name}: ${reply.text}`);
          checkError(reply, status, code);
        }
        const form = { ...TOKEN, "content-type": "application/x-www-form-urlencoded" };
        const options = { raw: "messages=tea", key: null, headers: form };
        checkError(await call(server.url, method, path, options), 415, "UNSUPPORTED_MEDIA_TYPE");
      });
    }
    strictEqual((await mem0Json(server, "GET", `/v1/memories/${id}/`)).memory, "Tea");
  });
});

Deno.test("calls under /mem0 have the limits of the API", async () => {
  await withServer(async (server) => {
    const add = (body: unknown) => mem0(server, "POST", "/v3/memories/add/", { body });
    const long = "x".repeat(LIMITS.addMemoryBodyBytes);
    checkError(await add({ messages: long, user_id: "ana" }), 413, "REQUEST_TOO_LARGE");
    const text = "x".repeat(LIMITS.memoryTextBytes + 1);
    const tooLong = await add({ messages: text, user_id: "ana", infer: false });
    checkError(tooLong, 400, "INVALID_REQUEST");
    const messages = Array(LIMITS.messages + 1).fill({ role: "user", content: "x" });
    checkError(await add({ messages, user_id: "ana" }), 400, "INVALID_REQUEST");
    const metadata = { note: "x".repeat(LIMITS.metadataBytes) };
    checkError(await add({ messages: "Tea", user_id: "ana", metadata }), 400, "INVALID_REQUEST");
    // Together with mem0's own fields, metadata that just fits is too large.
    const full = { note: "x".repeat(LIMITS.metadataBytes - 20) };
    const withApp = { messages: "Tea", user_id: "ana", infer: false, metadata: full };
    strictEqual((await add(withApp)).status, 200);
    checkError(await add({ ...withApp, app_id: "kitchen" }), 400, "INVALID_REQUEST");
    const headers = { "idempotency-key": "x".repeat(201) };
    const body = { messages: "Tea", user_id: "ana" };
    const reply = await mem0(server, "POST", "/v3/memories/add/", { body, headers });
    checkError(reply, 400, "INVALID_REQUEST");
  });
});

Deno.test("strange names and values are data for the mem0-compatible API", async () => {
  await withServer(async (server) => {
    const metadata = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": "x", "": 0}');
    const id = await addText(server, "Tea", { user_id: "' or 1=1 --", metadata });
    const shown = await mem0Json(server, "GET", `/v1/memories/${id}/`);
    strictEqual(shown.user_id, "' or 1=1 --");
    strictEqual(JSON.stringify(shown.metadata), JSON.stringify(metadata));
    for (
      const text of [
        '{"__proto__": {"in": ["x"]}}',
        '{"constructor": "x"}',
        '{"toString": 1}',
        '{"": 0}',
      ]
    ) {
      const body = { filters: JSON.parse(text) };
      const found = await mem0(server, "POST", "/v3/memories/", { body });
      const own = await server.call("POST", "/v1/memories/query", {
        body: { ...body, count: true },
      });
      strictEqual(found.status, own.status, found.text);
      strictEqual(found.json.count, own.json.count);
    }
    for (const path of ["%2e%2e%2f", "a%00b", "x".repeat(5_000), "%F0%9F"]) {
      const reply = await mem0(server, "GET", `/v1/memories/${path}/`);
      ok(reply.status >= 400 && reply.status < 500, reply.text);
    }
    const names = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`option_${n}`, 1]));
    const added = await mem0Json(server, "POST", "/v3/memories/add/", {
      body: { messages: "Coffee", user_id: "ana", infer: false, ...names },
    });
    strictEqual(added.ignored.length, 50);
  });
});

Deno.test("ids of another project get the same response under /mem0 as unknown ones", async (t) => {
  await withServer(async (server) => {
    const key = await server.createKey("elsewhere");
    const memory = await addText(server, "Ana restores harpsichords");
    const { id: event } = await inferAndWait(server, "I live in Lisbon.");
    const unknown = (id: string) => id.slice(0, -6) + "zzzzzz";
    const shape = ({ status, text }: Reply, id: string) => [
      status,
      text.replaceAll(id, "ID").replaceAll(/"(req|task)_[0-9a-z]{26}"/g, '"$1"'),
    ];
    const requests: readonly (readonly [string, string, string, (id: string) => unknown])[] = [
      ["GET", "/v1/memories/ID/", memory, () => undefined],
      ["GET", "/v1/memories/ID/history/", memory, () => undefined],
      ["PUT", "/v1/memories/ID/", memory, () => ({ text: "Taken over" })],
      ["PUT", "/v1/memories/ID/", memory, () => ({ metadata: {} })],
      ["DELETE", "/v1/memories/ID/", memory, () => undefined],
      ["DELETE", "/v1/memories/ID/?delete_linked=true", memory, () => undefined],
      ["PUT", "/v1/batch/", memory, (id) => ({ memories: [{ memory_id: id, text: "x" }] })],
      ["PUT", "/v1/batch/", memory, (id) => ({ memories: [{ memory_id: id, metadata: {} }] })],
      ["DELETE", "/v1/batch/", memory, (id) => ({ memories: [{ memory_id: id }] })],
      ["POST", "/v1/feedback/", memory, (id) => ({ memory_id: id, feedback: "POSITIVE" })],
      ["POST", "/v1/feedback/", memory, (id) => ({ memory_id: id, feedback: null })],
      ["POST", "/v3/memories/", memory, (id) => ({ filters: { memory_ids: [id] } })],
      ["POST", "/search", memory, (id) => ({ query: "harpsichords", filters: { id } })],
      ["GET", "/v1/event/ID/", event, () => undefined],
      ["DELETE", "/v1/memories/?user_id=ID", "ana", () => undefined],
      ["DELETE", "/v2/entities/user/ID/", "ana", () => undefined],
      ["DELETE", "/entities/user/ID", "ana", () => undefined],
    ];
    for (const [method, path, id, body] of requests) {
      await t.step(`${method} ${path}`, async () => {
        const send = async (id: string) => {
          const reply = await mem0(server, method, path.replace("ID", id), { key, body: body(id) });
          return shape(reply, id);
        };
        deepStrictEqual(await send(id), await send(id === "ana" ? "bob" : unknown(id)));
      });
    }
    strictEqual((await mem0Json(server, "GET", `/v1/memories/${memory}/`)).memory.length, 25);
  });
});
