/** Runs every tool in both eras of the protocol. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { connectOverHttp, PROTOCOL_ERAS } from "./client.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const TOOL_NAMES = [
  "add_memory",
  "search_memories",
  "list_memories",
  "get_memory",
  "update_memory",
  "delete_memory",
  "memory_history",
  "rate_memory",
  "add_document",
  "search_documents",
  "list_documents",
  "read_document",
  "get_state",
  "get_context",
  "get_profile",
  "get_event",
];

for (const era of PROTOCOL_ERAS) {
  Deno.test(`every tool works (opened as ${era})`, async () => {
    await withServer(async (server) => {
      const peer = await connectOverHttp(server.url, server.key, era);
      deepStrictEqual(await peer.tools(), TOOL_NAMES);
      const scope = { user_id: "ana" };

      const added = await peer.call("add_memory", {
        content: "Ana prefers trains to planes",
        infer: false,
        memory_type: "preference",
        metadata: { from: "chat" },
        ...scope,
      });
      const id = added.json.results[0].id;
      strictEqual(added.text, `Stored 1:\n${id}: Ana prefers trains to planes`);

      const found = await peer.call("search_memories", { query: "trains", ...scope });
      strictEqual(found.json.results[0].id, id);
      match(
        found.text,
        /^Found 1:\n0\.\d\d {2}mem_\w+ \(preference, \d{4}-\d\d-\d\d\): Ana prefers/,
      );
      const page = await peer.call("list_memories", { limit: 1, ...scope });
      strictEqual(page.json.results[0].id, id);
      const got = await peer.call("get_memory", { memory_id: id });
      const same = await server.call("GET", `/v1/memories/${id}`);
      deepStrictEqual(got.json, same.json);

      const changed = await peer.call("update_memory", {
        memory_id: id,
        content: "Ana prefers night trains to planes",
        version: got.json.updated_at,
      });
      strictEqual(changed.json.event, "UPDATE");
      const rated = await peer.call("rate_memory", { memory_id: id, rating: "positive" });
      strictEqual(rated.json.feedback.rating, "positive");
      strictEqual((await peer.call("delete_memory", { memory_id: id })).json.event, "DELETE");
      const history = await peer.call("memory_history", { memory_id: id });
      deepStrictEqual(
        history.json.results.map(({ event }: { event: string }) => event),
        ["ADD", "UPDATE", "FEEDBACK", "DELETE"],
      );

      const queued = await peer.call("add_memory", {
        messages: [{ role: "user", content: "I live in Porto now." }],
        ...scope,
      });
      match(queued.text, /^Queued for inference as \S+; call get_event for the outcome$/);
      const event = await waitUntil(
        () => peer.call("get_event", { event_id: queued.json.event_id }),
        ({ json }) => json.status === "SUCCEEDED",
      );
      match(event.text, /is SUCCEEDED\nADD mem_/);
      const slot = { subject: "user", attribute: "lives_in", ...scope };
      const state = await waitUntil(
        () => peer.call("get_state", slot),
        ({ json }) => json.data !== null && json.data !== undefined,
      );
      strictEqual(state.text, "user / lives_in: Porto");
      const profile = await waitUntil(
        () => peer.call("get_profile", scope),
        ({ json }) => json.data !== null && json.data !== undefined,
      );
      match(profile.text, /Porto/);
      const context = await peer.call("get_context", { query: "Where does Ana live?", ...scope });
      match(context.text, /Porto/);
      strictEqual(context.json.text, context.text);

      const text = "# Ferries\n\nThe ferry to Cacilhas leaves every 20 minutes.\n";
      const stored = await peer.call("add_document", {
        content: text,
        title: "Ferries",
        mime_type: "text/markdown",
        ...scope,
      });
      const document = stored.json.document.id;
      const passages = await peer.call("search_documents", { query: "ferry Cacilhas", ...scope });
      strictEqual(passages.json.results[0].document.id, document);
      const documents = await peer.call("list_documents", scope);
      strictEqual(documents.json.results[0].id, document);
      const { start_byte, end_byte, content } = passages.json.results[0].chunk;
      const cited = await peer.call("read_document", {
        document_id: document,
        start_byte,
        end_byte,
      });
      strictEqual(cited.json.content, content);
      strictEqual(cited.text, content);
      await peer.close();
    });
  });
}

Deno.test("read_document continues at next_start_byte and never splits a character", async () => {
  await withServer(async (server) => {
    const peer = await connectOverHttp(server.url, server.key);
    const text = "Zoë ate 🍎🍏 in Ålesund, étage 3. ".repeat(40);
    const stored = await peer.call("add_document", { content: text, title: "t", user_id: "ana" });
    const { id, size_bytes } = stored.json.document;
    let read = "";
    let from: number | null = 0;
    while (from !== null) {
      const part = await peer.call("read_document", {
        document_id: id,
        start_byte: from,
        end_byte: from + 7,
      });
      strictEqual(part.json.start_byte, from);
      read += part.json.content;
      from = part.json.next_start_byte;
    }
    strictEqual(read, text);
    const whole = await peer.call("read_document", { document_id: id });
    deepStrictEqual([whole.json.content, whole.json.end_byte], [text, size_bytes]);
    const past = await peer.call("read_document", { document_id: id, start_byte: size_bytes + 9 });
    deepStrictEqual([past.json.content, past.json.next_start_byte], ["", null]);
    const empty = await peer.call("read_document", {
      document_id: id,
      start_byte: 5,
      end_byte: 5,
    });
    strictEqual(empty.json.code, "INVALID_REQUEST");
    await peer.close();
  });
});

Deno.test("add_memory with an idempotency key runs only once, even across MCP and REST", async () => {
  await withServer(async (server) => {
    const peer = await connectOverHttp(server.url, server.key);
    const body = { content: "Once", infer: false, user_id: "ana" };
    const args = { ...body, idempotency_key: "turn-7" };
    const [first, again] = [
      await peer.call("add_memory", args),
      await peer.call("add_memory", args),
    ];
    deepStrictEqual(again.json, first.json);
    const headers = { "idempotency-key": "turn-7" };
    const rest = await server.call("POST", "/v1/memories", { body, headers });
    deepStrictEqual(rest.json, first.json);
    const other = await peer.call("add_memory", { ...args, content: "Twice" });
    strictEqual(other.json.code, "IDEMPOTENCY_CONFLICT");
    const plain = await peer.call("add_memory", body);
    ok(plain.json.results[0].id !== first.json.results[0].id);
    await peer.close();
  });
});

Deno.test("a tool error has the code, message and details from the API", async () => {
  await withServer(async (server) => {
    const peer = await connectOverHttp(server.url, server.key);
    const unknown = await peer.call("get_memory", { memory_id: "mem_unknown" });
    const { request_id: _, ...error } = unknown.json;
    const rest = await server.call("GET", "/v1/memories/mem_unknown");
    deepStrictEqual(error, { code: rest.json.code, message: rest.json.message });

    const missing = await peer.call("get_memory");
    deepStrictEqual(missing.json.details.issues.map(({ path }: { path: string }) => path), [
      "memory_id",
    ]);
    const wrong = await peer.call("search_memories", { query: " ", top_k: 500 });
    deepStrictEqual(
      wrong.json.details.issues.map(({ path }: { path: string }) => path).sort(),
      ["query", "top_k"],
    );
    const scopeless = await peer.call("add_memory", { content: "x", infer: false });
    strictEqual(scopeless.json.code, "INVALID_REQUEST");
    const id = await server.add("Version");
    const stale = await peer.call("update_memory", {
      memory_id: id,
      content: "y",
      version: "2020-01-01",
    });
    strictEqual(stale.json.code, "VERSION_CONFLICT");
    await peer.client.callTool({ name: "drop_database", arguments: {} }).then(
      () => ok(false, "an unknown tool was called"),
      (error: { code: number }) => strictEqual(error.code, -32_602),
    );
    await peer.close();
  });
});
