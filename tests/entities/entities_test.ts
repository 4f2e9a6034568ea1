/** Tests scope entities: up-to-date totals for their memories, and removal of a fixed set. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

async function entity(server: TestServer, type: string, id: string) {
  const { status, json } = await server.call("GET", `/v1/entities/${type}/${id}`);
  return status === 404 ? null : json;
}

function remove(server: TestServer, path: string, key: string = crypto.randomUUID()) {
  return server.call("DELETE", path, { headers: { "idempotency-key": key } });
}

async function get(server: TestServer, id: string) {
  return (await server.call("GET", `/v1/memories/${id}`)).json;
}

Deno.test("GET /v1/entities/{type}/{id} returns the memory count with the first and last times", async () => {
  await withServer(async (server) => {
    const ids = [await server.add("one"), await server.add("two"), await server.add("three")];
    const [first, , last] = await Promise.all(ids.map((id) => get(server, id)));
    deepStrictEqual(await entity(server, "user", "ana"), {
      id: "ana",
      type: "user",
      total_memories: 3,
      created_at: first.created_at,
      updated_at: last.updated_at,
    });
    await server.call("PUT", `/v1/memories/${ids[0]}`, { body: { content: "changed" } });
    const changed = await get(server, ids[0]!);
    strictEqual((await entity(server, "user", "ana"))!.updated_at, changed.updated_at);

    await server.call("DELETE", `/v1/memories/${ids[0]}`);
    const second = await get(server, ids[1]!);
    const now = (await entity(server, "user", "ana"))!;
    deepStrictEqual([now.total_memories, now.created_at, now.updated_at], [
      2,
      second.created_at,
      last.updated_at,
    ]);
    await server.call("DELETE", `/v1/memories/${ids[1]}`);
    await server.call("DELETE", `/v1/memories/${ids[2]}`);
    strictEqual(await entity(server, "user", "ana"), null);
  });
});

Deno.test("GET /v1/entities returns each scope of a memory as a separate entity", async () => {
  await withServer(async (server) => {
    await server.add("all", { user_id: "x", agent_id: "x", run_id: "x" });
    await server.add("user", { user_id: "x" });
    const totals = await Promise.all(
      ["user", "agent", "run"].map(async (type) =>
        (await entity(server, type, "x"))!.total_memories
      ),
    );
    deepStrictEqual(totals, [2, 1, 1]);
    const { results } = (await server.call("GET", "/v1/entities")).json;
    strictEqual(results.length, 3);
  });
});

Deno.test("DELETE /v1/entities/{type}/{id} deletes every memory in that scope and no others", async () => {
  await withServer(async (server) => {
    const gone = [
      await server.add("a", { user_id: "ana" }),
      await server.add("b", { user_id: "ana", run_id: "r" }),
    ];
    const kept = await server.add("c", { user_id: "bo", run_id: "r" });
    const { json } = await remove(server, "/v1/entities/user/ana");
    deepStrictEqual(json, { id: "ana", type: "user", deleted_memories: 2 });
    strictEqual((await get(server, kept)).memory, "c");
    strictEqual((await entity(server, "run", "r"))!.total_memories, 1);
    for (const id of gone) {
      const { results } = (await server.call("GET", `/v1/memories/${id}/history`)).json;
      deepStrictEqual([results.at(-1).event, results.at(-1).source], [
        "DELETE",
        { kind: "entity_delete", operation_id: null },
      ]);
    }
  });
});

Deno.test("DELETE /v1/entities/{type}/{id} replays the first response and keeps memories that were added later", async () => {
  await withServer(async (server) => {
    await server.add("before");
    const path = "/v1/entities/user/ana";
    const first = await remove(server, path, "once");
    const later = await server.add("after");
    const again = await remove(server, path, "once");
    strictEqual(again.text, first.text);
    strictEqual(again.headers.get("idempotency-replayed"), "true");
    strictEqual((await get(server, later)).memory, "after");
    strictEqual((await remove(server, path, "second")).json.deleted_memories, 1);
    strictEqual((await remove(server, path, "gone")).json.code, "SCOPE_ENTITY_NOT_FOUND");
  });
});

Deno.test("GET /v1/entities/{type}/{id} starts from zero if the entity returns after it was removed", async () => {
  await withServer(async (server) => {
    const old = await get(server, await server.add("old"));
    await remove(server, "/v1/entities/user/ana");
    const fresh = await get(server, await server.add("fresh"));
    const now = (await entity(server, "user", "ana"))!;
    deepStrictEqual([now.total_memories, now.created_at], [1, fresh.created_at]);
    ok(now.created_at >= old.created_at);
  });
});

Deno.test("DELETE /v1/entities/{type}/{id} does not affect other projects", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("elsewhere");
    await server.add("ours");
    const body = { content: "theirs", user_id: "ana", infer: false };
    await server.call("POST", "/v1/memories", { key, body });
    const path = "/v1/entities/user/ana";
    const headers = { "idempotency-key": "k" };
    const removed = await server.call("DELETE", path, { key, headers });
    strictEqual(removed.json.deleted_memories, 1);
    strictEqual((await entity(server, "user", "ana"))!.total_memories, 1);
    strictEqual((await server.call("GET", path, { key })).status, 404);
  });
});
