/** Makes sure that memory fields are stored and returned exactly as sent. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

async function stored(server: TestServer, fields: Record<string, unknown>) {
  const body = { content: "Ana hums", user_id: "ana", infer: false, ...fields };
  const added = await server.call("POST", "/v1/memories", { body });
  strictEqual(added.status, 200, added.text);
  return (await server.call("GET", `/v1/memories/${added.json.results[0].id}`)).json;
}

Deno.test("POST /v1/memories stores scopes trimmed, and all endpoints trim them", async () => {
  await withServer(async (server) => {
    const memory = await stored(server, { user_id: "\u00a0 ana\t\n", agent_id: " bot " });
    deepStrictEqual([memory.user_id, memory.agent_id, memory.run_id], ["ana", "bot", null]);
    const list = await server.call("GET", "/v1/memories?user_id=%20ana%0A&agent_id=bot+");
    strictEqual(list.json.results.length, 1);
    const entity = await server.call("GET", "/v1/entities/agent/%20bot");
    strictEqual(entity.json.id, "bot");
    const deleted = await server.call("DELETE", "/v1/memories?user_id=%09ana");
    deepStrictEqual([deleted.json.deleted_memories, deleted.json.user_id], [1, "ana"]);
  });
});

Deno.test("GET /v1/entities/{type}/{id} accepts any characters in an encoded id", async (t) => {
  await withServer(async (server) => {
    for (const id of ["a/b", "50%", "%2F", "a b+c", "ä😀", "..", ".", "a?b#c", "user:1", "a%20b"]) {
      await t.step(id, async () => {
        await stored(server, { user_id: id });
        const path = `/v1/entities/user/${encodeURIComponent(id).replaceAll(".", "%2E")}`;
        const { status, json, text } = await server.call("GET", path);
        // URL parsers remove dot segments, even encoded ones, so an id like that can't be a path
        // segment.
        if (id === "." || id === "..") return strictEqual(status, 404, text);
        deepStrictEqual([status, json.id], [200, id]);
      });
    }
  });
});

Deno.test("POST /v1/memories stores every field exactly as it was sent", async () => {
  await withServer(async (server) => {
    const metadata = {
      b: [1, 2.5, -0.1, 1e21, true, null, "x\u2028"],
      a: { "dotted.key": { "": {} } },
      "ключ": "значение 😀",
      nested: [[], [{}]],
    };
    deepStrictEqual((await stored(server, { metadata })).metadata, metadata);
    deepStrictEqual((await stored(server, { metadata: {} })).metadata, {});
    const { memory_type, importance, metadata: none } = await stored(server, {});
    deepStrictEqual([memory_type, importance, none], ["fact", 0.5, null]);
    const contents = ["  padded\n", "e\u0301 is not é", "\u200bzero", "a\u0001b", "😀\r\n"];
    for (const content of [...contents, "ü".repeat(50_000)]) {
      strictEqual((await stored(server, { content })).memory, content);
    }
    const goal = await stored(server, { memory_type: "goal", importance: 0 });
    deepStrictEqual([goal.memory_type, goal.importance], ["goal", 0]);
    const { event_date, valid_from, valid_to } = await stored(server, { event_date: "0001-01-01" });
    const first = "0001-01-01T00:00:00.000Z";
    deepStrictEqual([event_date, valid_from, valid_to], [first, first, null]);
  });
});

Deno.test("POST /v1/memories rejects a number beyond the range of a double instead of storing null", async () => {
  await withServer(async (server) => {
    const raw = '{"content":"Ana","user_id":"ana","infer":false,"metadata":{"a":1e400}}';
    const headers = { "content-type": "application/json" };
    const reply = await server.call("POST", "/v1/memories", { raw, headers });
    strictEqual(reply.status, 400, reply.text);
    strictEqual(reply.json.details.issues[0].path, "metadata");
  });
});
