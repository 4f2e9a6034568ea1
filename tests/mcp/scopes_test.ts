/** Tests scopes fixed for a whole connection. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { connectOverHttp, PROTOCOL_ERAS } from "./client.ts";
import { waitUntil } from "../../testing/wait_until.ts";

for (const era of PROTOCOL_ERAS) {
  Deno.test(`a fixed scope is not an argument and is applied to every call (opened as ${era})`, async () => {
    await withServer(async (server) => {
      const peer = await connectOverHttp(
        server.url,
        server.key,
        era,
        "?user_id=ana&run_id=%20r1%20",
      );
      const { tools } = await peer.client.listTools();
      for (const { name, inputSchema } of tools) {
        const names = Object.keys(inputSchema.properties ?? {});
        ok(!names.includes("user_id") && !names.includes("run_id"), name);
      }
      const added = await peer.call("add_memory", { content: "Likes tea", infer: false });
      const { json } = await server.call("GET", `/v1/memories/${added.json.results[0].id}`);
      deepStrictEqual([json.user_id, json.agent_id, json.run_id], ["ana", null, "r1"]);

      await server.add("Likes tea, says Ben", { user_id: "ben", run_id: "r1" });
      const found = await peer.call("search_memories", { query: "tea" });
      strictEqual(found.json.results.length, 1);
      strictEqual((await peer.call("list_memories")).json.results.length, 1);
      await peer.close();
    });
  });
}

Deno.test("an argument that differs from the fixed scope is rejected", async () => {
  await withServer(async (server) => {
    const peer = await connectOverHttp(server.url, server.key, "auto", "?user_id=ana");
    const same = await peer.call("list_memories", { user_id: " ana " });
    strictEqual(same.isError, false);
    for (const user_id of ["ben", "", null, 7]) {
      const refused = await peer.call("search_memories", { query: "x", user_id });
      strictEqual(refused.json.code, "INVALID_REQUEST");
      strictEqual(refused.json.details.issues[0].path, "user_id");
    }
    await peer.close();
  });
});

Deno.test("records in a different scope can't be reached by id", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ben's", { user_id: "ben" });
    const own = await server.add("Ana's", { user_id: "ana", agent_id: "tutor" });
    const stored = await server.call("POST", "/v1/documents", {
      body: { content: "Ben's", source_key: "notes", user_id: "ben" },
    });
    const queued = await server.call("POST", "/v1/memories", {
      body: { content: "I am Ben and I live in Faro.", user_id: "ben" },
      headers: { "idempotency-key": "k" },
    });
    await waitUntil(
      () => server.call("GET", `/v1/events/${queued.json.event_id}`),
      ({ json }) => json.status === "SUCCEEDED",
    );

    const peer = await connectOverHttp(server.url, server.key, "auto", "?user_id=ana");
    const errorOf = async (name: string, args: Record<string, unknown>) => {
      const { json } = await peer.call(name, args);
      return `${json.code} ${json.message}`;
    };
    const unknown = await errorOf("get_memory", { memory_id: "mem_unknown" });
    for (const name of ["get_memory", "delete_memory", "memory_history"]) {
      strictEqual(await errorOf(name, { memory_id: id }), unknown.replace("mem_unknown", id), name);
    }
    const rated = await errorOf("rate_memory", { memory_id: id, rating: "negative" });
    strictEqual(rated, unknown.replace("mem_unknown", id));
    const changed = await errorOf("update_memory", { memory_id: id, content: "x" });
    strictEqual(changed, unknown.replace("mem_unknown", id));
    strictEqual((await server.call("GET", `/v1/memories/${id}`)).json.memory, "Ben's");

    const document = stored.json.document.id;
    strictEqual(
      await errorOf("read_document", { document_id: document }),
      `DOCUMENT_NOT_FOUND No document "${document}"`,
    );
    ok(
      (await errorOf("get_event", { event_id: queued.json.event_id })).startsWith(
        "EVENT_NOT_FOUND",
      ),
    );
    for (const uri of [`commonplace://memories/${id}`, `commonplace://documents/${document}`]) {
      await peer.client.readResource({ uri }).then(
        () => ok(false, `${uri} was read`),
        (error: Error) => ok(/No (memory|document)/.test(error.message), error.message),
      );
    }
    // A source key belongs to a single source per project, so her document would replace his.
    const refused = await peer.call("add_document", { content: "Ana's", source_key: "notes" });
    strictEqual(refused.json.details.issues[0].path, "source_key");
    strictEqual((await server.call("GET", `/v1/documents/${document}`)).status, 200);

    strictEqual((await peer.call("get_memory", { memory_id: own })).isError, false);
    strictEqual(
      (await peer.call("rate_memory", { memory_id: own, rating: "positive" })).isError,
      false,
    );
    await peer.close();
  });
});

Deno.test("connections with different fixed scopes can't replace each other's document, even at the same time", async () => {
  await withServer(async (server) => {
    const people = ["ana", "ben", "cleo", "dan"];
    const peers = await Promise.all(
      people.map((id) => connectOverHttp(server.url, server.key, "auto", `?user_id=${id}`)),
    );
    const replies = await Promise.all(
      peers.map((peer) => peer.call("add_document", { title: "Notes", content: "Bees" })),
    );
    const added = replies.filter(({ isError }) => !isError);
    strictEqual(added.length, 1);
    for (const { json } of replies.filter(({ isError }) => isError)) {
      strictEqual(json.details.issues[0].path, "source_key");
    }
    const { id } = added[0]!.json.document;
    const { json } = await server.call("GET", "/v1/documents");
    deepStrictEqual(json.results.map((document: { id: string }) => document.id), [id]);
    for (const peer of peers) await peer.close();
  });
});

Deno.test("headers fix scopes, in UTF-8 or Latin-1", async () => {
  await withServer(async (server) => {
    const utf8 = String.fromCharCode(...new TextEncoder().encode("Jürgen 李"));
    for (const [header, user] of [[utf8, "Jürgen 李"], ["Jürgen", "Jürgen"]] as const) {
      const peer = await connectOverHttp(server.url, server.key, "auto", "", {
        "commonplace-user-id": header,
        "commonplace-agent-id": "tutor",
        "commonplace-run-id": "r1",
      });
      const added = await peer.call("add_memory", { content: "Likes tea", infer: false });
      const { json } = await server.call("GET", `/v1/memories/${added.json.results[0].id}`);
      deepStrictEqual([json.user_id, json.agent_id, json.run_id], [user, "tutor", "r1"]);
      await peer.close();
    }
  });
});

Deno.test("POST /mcp returns 400 for an invalid fixed scope", async () => {
  await withServer(async (server) => {
    const invalid = [
      ["?user_id=", {}],
      ["?user_id=%00", {}],
      ["?user_id=a&user_id=b", {}],
      ["?user_id=a", { "commonplace-user-id": "a" }],
      ["", { "commonplace-user-id": "" }],
    ] as const;
    for (const [query, headers] of invalid) {
      const refused = await server.call("POST", `/mcp${query}`, {
        body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
        headers: { accept: "application/json, text/event-stream", ...headers },
      });
      deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_REQUEST"], query);
    }
  });
});
