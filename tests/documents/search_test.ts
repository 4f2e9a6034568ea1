/** Tests for document search: passages from current versions, with the chunks around them. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { ingest, ingestDocument, markdownSections, search } from "./documents.ts";

Deno.test("POST /v1/documents/search returns chunks with their offsets in the content", async () => {
  await withServer(async (server) => {
    const content = markdownSections(40);
    const id = await ingestDocument(server, {
      content,
      source_key: "book",
      mime_type: "text/markdown",
    });
    const [hit] = await search(server, { query: "where is marker17?" });
    deepStrictEqual(hit.document, { id, source_key: "book" });
    ok(hit.chunk.content.includes("marker17."));
    ok(hit.score > 0 && hit.score <= 1);
    deepStrictEqual(hit.neighbors, []);
    const bytes = new TextEncoder().encode(content).slice(hit.chunk.start_byte, hit.chunk.end_byte);
    strictEqual(new TextDecoder().decode(bytes), hit.chunk.content);
    const { json } = await server.call("GET", `/v1/documents/${id}/chunks?limit=100`);
    deepStrictEqual(json.results[hit.chunk.index], hit.chunk);
  });
});

Deno.test("POST /v1/documents/search returns neighboring chunks without a score, unless they are hits", async () => {
  await withServer(async (server) => {
    await ingestDocument(server, { content: markdownSections(30), mime_type: "text/markdown" });
    const [hit] = await search(server, { query: "marker9", limit: 1, neighbors: 2 });
    const { index } = hit.chunk;
    deepStrictEqual(
      hit.neighbors.map((neighbor: { index: number }) => neighbor.index),
      [index - 2, index - 1, index + 1, index + 2],
    );
    ok(hit.neighbors.every((neighbor: object) => !("score" in neighbor)));
    const [first] = await search(server, { query: "marker0", limit: 1, neighbors: 2 });
    deepStrictEqual(first.neighbors.map((neighbor: { index: number }) => neighbor.index), [1, 2]);
    const many = await search(server, { query: "fills a passage", limit: 20, neighbors: 2 });
    const hits = new Set(many.map((hit) => hit.chunk.id));
    ok(many.every((hit) => hit.neighbors.every((chunk: { id: string }) => !hits.has(chunk.id))));
  });
});

Deno.test("POST /v1/documents/search finds words that occur in all documents, most frequent first", async () => {
  await withServer(async (server) => {
    const often = "river ".repeat(20);
    await ingestDocument(server, { content: `${"reed ".repeat(400)}river`, source_key: "seldom" });
    for (let count = 0; count < 80; count++) {
      const words = count === 40 ? often : `river ${"bank ".repeat(count)}`;
      await ingestDocument(server, { content: words, source_key: `s${count}` });
    }
    strictEqual((await search(server, { query: "river" }))[0].document.source_key, "s40");
    const scoped = await search(server, { query: "river", source_key: "seldom" });
    strictEqual(scoped.length, 1);
    const unknown = await search(server, { query: "river xyzzy", source_key: "seldom" });
    strictEqual(unknown.length, 1);
  });
});

Deno.test("POST /v1/documents/search finds only the head, immediately after the ingest", async () => {
  await withServer(async (server) => {
    await ingestDocument(server, { content: "The heron stands still", source_key: "s" });
    const id = await ingestDocument(server, { content: "The kestrel hovers", source_key: "s" });
    deepStrictEqual(await search(server, { query: "heron" }), []);
    strictEqual((await search(server, { query: "kestrels hovering" }))[0].document.id, id);
    await ingestDocument(server, {
      content: "The kestrel hovers",
      source_key: "s",
      user_id: "ben",
    });
    deepStrictEqual(await search(server, { query: "kestrel", user_id: "ana" }), []);
    strictEqual((await search(server, { query: "kestrel", user_id: "ben" })).length, 1);
  });
});

Deno.test("POST /v1/documents/search filters by scope and source, and finds titles", async () => {
  await withServer(async (server) => {
    await ingestDocument(server, { content: "tea at four", source_key: "a", agent_id: "bot" });
    await ingestDocument(server, { content: "tea at five", source_key: "b", user_id: "ben" });
    await ingestDocument(server, { content: "tea at six", source_key: "c", title: "Albatross" });
    const keys = async (body: object) =>
      (await search(server, { query: "tea", ...body }))
        .map((hit) => hit.document.source_key).sort();
    deepStrictEqual(await keys({}), ["a", "b", "c"]);
    deepStrictEqual(await keys({ user_id: "ana" }), ["a", "c"]);
    deepStrictEqual(await keys({ user_id: "ana", agent_id: "bot" }), ["a"]);
    deepStrictEqual(await keys({ source_key: "b" }), ["b"]);
    deepStrictEqual(await keys({ source_key: "b", user_id: "ana" }), []);
    deepStrictEqual(await keys({ query: "albatross" }), ["c"]);
    strictEqual((await keys({ limit: 2 })).length, 2);
    deepStrictEqual(await keys({ query: "at" }), ["a", "b", "c"], "a query of stop words only");
    const refused = await server.call("POST", "/v1/documents/search", { body: { query: "" } });
    strictEqual(refused.json.code, "INVALID_REQUEST");
  });
});

Deno.test("Document endpoints hide the documents of a different project", async () => {
  await withServer(async (server) => {
    const id = await ingestDocument(server, {
      content: "The vault opens at dawn",
      source_key: "s",
    });
    const key = await server.createKey("elsewhere");
    const requests = [
      ["GET", `/v1/documents/${id}`],
      ["GET", `/v1/documents/${id}/content`],
      ["GET", `/v1/documents/${id}/chunks`],
      ["DELETE", `/v1/documents/${id}`],
    ] as const;
    for (const [method, path] of requests) {
      const reply = await server.call(method, path, { key });
      strictEqual(reply.json.code, "DOCUMENT_NOT_FOUND");
    }
    const body = { query: "vault" };
    deepStrictEqual((await server.call("POST", "/v1/documents/search", { body, key })).json, {
      results: [],
    });
    deepStrictEqual((await server.call("GET", "/v1/documents", { key })).json.results, []);
    // In the other project, the same source key belongs to a different source.
    const theirs = { content: "mine", source_key: "s", user_id: "ana" };
    const created = await server.call("POST", "/v1/documents", { body: theirs, key });
    strictEqual(created.json.created, true);
    strictEqual(
      (await ingest(server, { content: "The vault opens at dawn", source_key: "s" })).json.created,
      false,
    );
  });
});
