/** Tests for updates and deletions: versions, unchanged fields and history. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

async function get(server: TestServer, id: string) {
  return (await server.call("GET", `/v1/memories/${id}`)).json;
}

function put(server: TestServer, id: string, body: Record<string, unknown>) {
  return server.call("PUT", `/v1/memories/${id}`, { body });
}

async function history(server: TestServer, id: string) {
  return (await server.call("GET", `/v1/memories/${id}/history`)).json.results;
}

Deno.test("PUT /v1/memories/{id} changes only the given fields", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana rents", { user_id: "ana", metadata: { a: 1, b: 2 } });
    const before = await get(server, id);
    const reply = await put(server, id, { content: "Ana owns" });
    deepStrictEqual(reply.json, { id, memory: "Ana owns", event: "UPDATE" });
    const after = await get(server, id);
    deepStrictEqual(after, { ...before, memory: "Ana owns", updated_at: after.updated_at });
    await put(server, id, { metadata: { c: 3 } });
    deepStrictEqual((await get(server, id)).metadata, { c: 3 }, "metadata is replaced, not merged");
    const typed = await put(server, id, { memory_type: "goal", importance: 0 });
    strictEqual(typed.json.memory, "Ana owns");
    const { memory_type, importance } = await get(server, id);
    deepStrictEqual([memory_type, importance], ["goal", 0]);
  });
});

Deno.test("PUT /v1/memories/{id} increases updated_at with every write, even within a millisecond", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana counts");
    const first = (await get(server, id)).updated_at;
    await Promise.all(Array.from({ length: 40 }, (_, n) => put(server, id, { content: `${n}` })));
    const times = (await history(server, id)).map((record: { created_at: string }) =>
      record.created_at
    );
    strictEqual(new Set(times).size, 41);
    deepStrictEqual(times, times.toSorted());
    strictEqual(times[0], first);
    strictEqual(times.at(-1), (await get(server, id)).updated_at);
  });
});

Deno.test("PUT /v1/memories/{id} lets only one of several writers with the same version succeed", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana waits");
    const version = (await get(server, id)).updated_at;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(server, id, { content: `writer ${n}`, version })),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    deepStrictEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)]);
    for (const { json } of replies.filter(({ status }) => status === 409)) {
      strictEqual(json.code, "VERSION_CONFLICT");
    }
    strictEqual((await history(server, id)).length, 2);
  });
});

Deno.test("PUT /v1/memories/{id} compares versions as instants, regardless of how they are written", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana travels");
    const written = (await get(server, id)).updated_at.replace("Z", "000+00:00");
    strictEqual((await put(server, id, { content: "Ana is back", version: written })).status, 200);
    const stale = await put(server, id, { content: "Ana left", version: written });
    strictEqual(stale.json.code, "VERSION_CONFLICT");
    const future = await put(server, id, { content: "Ana left", version: "9999-12-31" });
    strictEqual(future.json.code, "VERSION_CONFLICT");
    strictEqual((await get(server, id)).memory, "Ana is back");
  });
});

Deno.test("PUT /v1/memories/{id} records an update even if it changes nothing", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana stays");
    const before = await get(server, id);
    strictEqual((await put(server, id, { content: "Ana stays" })).status, 200);
    const [, update] = await history(server, id);
    deepStrictEqual([update.event, update.old_memory, update.new_memory], [
      "UPDATE",
      "Ana stays",
      "Ana stays",
    ]);
    ok((await get(server, id)).updated_at > before.updated_at);
  });
});

Deno.test("GET /v1/memories/{id}/history returns all changes with their source, oldest first", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana drafts");
    const changed = await put(server, id, {
      content: "Ana edits",
      importance: 1,
      memory_type: "todo",
      metadata: { page: 3 },
    });
    await server.call("POST", `/v1/memories/${id}/feedback`, {
      body: { rating: "negative", reason: "old news", request_id: "req_theirs" },
    });
    await server.call("DELETE", `/v1/memories/${id}`);
    const records = await history(server, id);
    deepStrictEqual(
      records.map(({ event }: { event: string }) => event),
      ["ADD", "UPDATE", "FEEDBACK", "DELETE"],
    );
    const [added, updated, rated, deleted] = records;
    deepStrictEqual([added.old_memory, added.new_memory], [null, "Ana drafts"]);
    deepStrictEqual([updated.old_memory, updated.new_memory], ["Ana drafts", "Ana edits"]);
    deepStrictEqual(updated.changes, {
      metadata: { from: null, to: { page: 3 } },
      importance: { from: 0.5, to: 1 },
      memory_type: { from: "fact", to: "todo" },
    });
    deepStrictEqual(rated.feedback, {
      rating: "negative",
      reason: "old news",
      request_id: "req_theirs",
    });
    deepStrictEqual([deleted.old_memory, deleted.new_memory], ["Ana edits", null]);
    for (const record of records) {
      match(record.id, /^hist_[0-9a-z]{26}$/);
      strictEqual(record.memory_id, id);
      deepStrictEqual(record.source, { kind: "api", operation_id: null });
      if (record !== rated) strictEqual(record.feedback, null);
    }
    strictEqual(updated.request_id, changed.headers.get("x-request-id"));
  });
});

Deno.test("DELETE /v1/memories/{id} removes everything except the history", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana forgets");
    await server.call("POST", `/v1/memories/${id}/feedback`, { body: { rating: "positive" } });
    const reply = await server.call("DELETE", `/v1/memories/${id}`);
    deepStrictEqual(reply.json, { id, memory: "Ana forgets", event: "DELETE" });
    for (const rest of ["", "/feedback"]) {
      strictEqual((await server.call("GET", `/v1/memories/${id}${rest}`)).status, 404);
    }
    strictEqual((await put(server, id, { content: "back" })).status, 404);
    strictEqual((await server.call("DELETE", `/v1/memories/${id}`)).status, 404);
    strictEqual((await server.call("GET", "/v1/memories?user_id=ana")).json.results.length, 0);
    strictEqual((await server.call("GET", "/v1/entities/user/ana")).status, 404);
    strictEqual((await history(server, id)).length, 3);
  });
});

Deno.test("DELETE /v1/memories requires all given scopes to match and leaves tombstones", async () => {
  await withServer(async (server) => {
    const both = await server.add("both", { user_id: "ana", agent_id: "bot" });
    const kept = [
      await server.add("user", { user_id: "ana" }),
      await server.add("agent", { agent_id: "bot" }),
      await server.add("other", { user_id: "bo", agent_id: "bot" }),
    ];
    const reply = await server.call("DELETE", "/v1/memories?user_id=ana&agent_id=bot");
    deepStrictEqual(reply.json, {
      deleted_memories: 1,
      user_id: "ana",
      agent_id: "bot",
      run_id: null,
    });
    for (const id of kept) ok((await get(server, id)).id);
    const tombstone = (await history(server, both)).at(-1);
    deepStrictEqual([tombstone.event, tombstone.source], [
      "DELETE",
      { kind: "scope_delete", operation_id: null },
    ]);
    const again = await server.call("DELETE", "/v1/memories?user_id=ana&agent_id=bot");
    deepStrictEqual([again.status, again.json.deleted_memories], [200, 0]);
  });
});

Deno.test("GET /v1/memories/{id} doesn't change the memory", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana is watched");
    const before = await get(server, id);
    for (let n = 0; n < 5; n++) await get(server, id);
    await server.restart();
    deepStrictEqual(await get(server, id), before);
    strictEqual((await history(server, id)).length, 1);
  });
});
