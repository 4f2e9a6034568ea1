/** Tests for POST /v1/documents: exact content, versions and heads, and failures. */

import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { chunk } from "../../src/documents/chunking/chunk.ts";
import type { IngestResponse } from "../../src/documents/schema.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { ingest, ingestDocument, ingestFile, markdownSections, search } from "./documents.ts";

const AWKWARD =
  "\ufeffA line\r\nanother\r\r\n\n\tIndented  \u00e9 e\u0301 \u{1F469}\u200d\u{1F467}" +
  "\n\n# \u6771\u4eac\n\n| a | b |\n|---|---|\n| 1 | \\u0000 |\n trailing  \n\n\n";

Deno.test("GET /v1/documents/{id}/content and /chunks return exactly the ingested content", async () => {
  await withServer(async (server) => {
    const texts: [content: string, mime: string][] = [
      [AWKWARD, "text/markdown"],
      [markdownSections(60), "text/markdown"],
      ["x", "text/plain"],
      [JSON.stringify({ a: ["\u00fc".repeat(3000), { b: "\u{10FFFF}" }] }), "application/json"],
    ];
    for (const [content, mime_type] of texts) {
      for (const as of ["json", "form"]) {
        const reply = as === "json"
          ? await ingest(server, { content, mime_type, source_key: as })
          : await ingestFile(server, new File([content], "form", { type: mime_type }));
        strictEqual(reply.status, 200, reply.text);
        await checkExact(server, reply.json, content, mime_type);
      }
    }
  });
});

async function checkExact(
  server: TestServer,
  { document, chunks }: IngestResponse,
  content: string,
  mime: string,
) {
  const response = await server.call("GET", `/v1/documents/${document.id}/content`);
  deepStrictEqual(response.json, { id: document.id, content, content_hash: sha256(content) });
  strictEqual(document.content_hash, sha256(content));
  strictEqual(document.size_bytes, Buffer.byteLength(content));
  const listed = await allChunks(server, document.id);
  const expected = chunk(content, mime);
  strictEqual(chunks, expected.length);
  strictEqual(listed.length, expected.length);
  const bytes = Buffer.from(content);
  for (const [index, item] of listed.entries()) {
    strictEqual(item.index, index);
    strictEqual(item.document_id, document.id);
    strictEqual(item.content, expected[index]!.content);
    strictEqual(bytes.subarray(item.start_byte, item.end_byte).toString(), item.content);
    strictEqual(item.content_hash, sha256(item.content));
  }
  strictEqual(listed.map((item) => item.content).join(""), content);
}

// deno-lint-ignore no-explicit-any -- the chunks of the response
async function allChunks(server: TestServer, id: string): Promise<any[]> {
  const all = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const after = cursor === "" ? "" : `&cursor=${cursor}`;
    const { json } = await server.call("GET", `/v1/documents/${id}/chunks?limit=7${after}`);
    all.push(...json.results);
    cursor = json.next_cursor;
  }
  return all;
}

Deno.test("POST /v1/documents creates a version only if something differs from the head", async () => {
  await withServer(async (server) => {
    const base = {
      content: "one",
      source_key: "guide",
      title: "Guide",
      metadata: { a: 1, b: [2] },
    };
    const first = (await ingest(server, base)).json;
    strictEqual(first.created, true);
    const repeated = (await ingest(server, { ...base, metadata: { b: [2], a: 1 } })).json;
    deepStrictEqual(repeated, { ...first, created: false });
    const changes = [
      { content: "two" },
      { title: "Manual" },
      { source_uri: "https://example.org/guide" },
      { user_id: "ben" },
      { run_id: "r1" },
      { mime_type: "text/markdown" },
      { metadata: { a: 2 } },
      {}, // equals the first version again
    ];
    const ids = [first.document.id];
    for (const change of changes) {
      const { document, created } = (await ingest(server, { ...base, ...change })).json;
      strictEqual(created, true, JSON.stringify(change));
      ok(!ids.includes(document.id));
      ids.push(document.id);
      const { json } = await server.call("GET", "/v1/documents?source_key=guide");
      deepStrictEqual(json.results, [document], "only the head is listed");
    }
    const last = (await server.call("GET", `/v1/documents/${ids.at(-1)}`)).json;
    strictEqual(last.version_hash, first.document.version_hash);
    deepStrictEqual((await server.call("GET", `/v1/documents/${ids[0]}`)).json, first.document);
    strictEqual((await server.call("GET", `/v1/documents/${ids[1]}/content`)).json.content, "two");
    strictEqual((await allChunks(server, ids[1]))[0].content, "two");
    notStrictEqual(
      (await allChunks(server, ids[0]))[0].id,
      (await allChunks(server, ids[1]))[0].id,
    );
  });
});

Deno.test("POST /v1/documents applies defaults to omitted fields", async () => {
  await withServer(async (server) => {
    const content = "Only text";
    const bare = (await ingest(server, { content })).json.document;
    strictEqual(bare.source_key, `text-${sha256(content).slice(0, 16)}`);
    deepStrictEqual(
      [bare.title, bare.mime_type, bare.metadata, bare.source_uri, bare.agent_id],
      [bare.source_key, "text/plain", {}, null, null],
    );
    const titled = (await ingest(server, { content, title: "T" })).json.document;
    strictEqual(titled.source_key, "T");
    const typed =
      (await ingest(server, { content, mime_type: "Text/Markdown; charset=utf-8" })).json;
    strictEqual(typed.document.mime_type, "text/markdown");
    const file = (await ingestFile(server, new File([content], "notes.md"))).json.document;
    deepStrictEqual([file.source_key, file.title, file.mime_type], [
      "notes.md",
      "notes.md",
      "text/markdown",
    ]);
  });
});

Deno.test("GET /v1/documents lists heads by page, newest first, filtered by scope and source", async () => {
  await withServer(async (server) => {
    for (let index = 0; index < 5; index++) {
      await ingestDocument(server, { content: `text ${index}`, source_key: `s${index}` });
    }
    await ingestDocument(server, {
      content: "ben's",
      source_key: "s9",
      user_id: "ben",
      agent_id: "bot",
    });
    await ingestDocument(server, { content: "changed", source_key: "s1" });
    const keys = async (query: string) => {
      const { json } = await server.call("GET", `/v1/documents?${query}`);
      return [
        json.results.map((document: { source_key: string }) => document.source_key),
        json.next_cursor,
      ];
    };
    deepStrictEqual((await keys(""))[0], ["s1", "s9", "s4", "s3", "s2", "s0"]);
    deepStrictEqual((await keys("user_id=ben"))[0], ["s9"]);
    deepStrictEqual((await keys("user_id=ana&agent_id=bot"))[0], []);
    const [first, cursor] = await keys("limit=4");
    deepStrictEqual(first, ["s1", "s9", "s4", "s3"]);
    deepStrictEqual(await keys(`limit=4&cursor=${cursor}`), [["s2", "s0"], null]);
    const foreign = await server.call("GET", `/v1/documents?user_id=ana&cursor=${cursor}`);
    strictEqual(foreign.json.code, "INVALID_REQUEST");
    strictEqual((await server.manage("projects", "list"))[0].documents, 6);
  });
});

Deno.test("POST /v1/documents runs only once for an idempotency key, whether as JSON or as a form", async () => {
  await withServer(async (server) => {
    const headers = { "idempotency-key": "k" };
    const body = { content: "once", user_id: "ana" };
    const first = await server.call("POST", "/v1/documents", { body, headers });
    const repeated = await server.call("POST", "/v1/documents", { body, headers });
    deepStrictEqual(repeated.json, first.json);
    strictEqual(repeated.headers.get("idempotency-replayed"), "true");
    const file = () => new File(["once"], "f.txt", { type: "text/plain" });
    strictEqual((await ingestFile(server, file(), { user_id: "ana" }, headers)).status, 409);
    const form = { "idempotency-key": "form" };
    const sent = await ingestFile(server, file(), { user_id: "ana" }, form);
    // Each form has a different boundary, but the same content.
    const resent = await ingestFile(server, file(), { user_id: "ana" }, form);
    deepStrictEqual(resent.json, sent.json);
    const other = await ingestFile(server, file(), { user_id: "ben" }, form);
    strictEqual(other.json.code, "IDEMPOTENCY_CONFLICT");
  });
});

const UNSUPPORTED = "UNSUPPORTED_DOCUMENT_MEDIA_TYPE";

Deno.test("POST /v1/documents reports why it rejects a JSON body, and stores nothing", async (t) => {
  const refused: readonly (readonly [Readonly<Record<string, unknown>>, number, string])[] = [
    [{ user_id: "a" }, 400, "INVALID_REQUEST"],
    [{ content: "x", mime_type: "application/pdf", user_id: "a" }, 415, UNSUPPORTED],
    [{ content: "a".repeat(1_000_001), user_id: "a" }, 413, "DOCUMENT_TOO_LARGE"],
    // Larger than the endpoint's body limit.
    [{ content: "a".repeat(9_000_000), user_id: "a" }, 413, "DOCUMENT_TOO_LARGE"],
  ];
  await withServer(async (server) => {
    for (const [body, status, code] of refused) {
      const reply = await server.call("POST", "/v1/documents", { body });
      deepStrictEqual([reply.status, reply.json.code], [status, code], reply.text);
    }
    await t.step("nothing was stored", async () => {
      deepStrictEqual((await server.call("GET", "/v1/documents")).json.results, []);
    });
    await t.step("a million bytes are accepted, however they are escaped", async () => {
      const content = "\u0001b".repeat(500_000);
      const id = await ingestDocument(server, { content });
      const response = await server.call("GET", `/v1/documents/${id}/content`);
      ok(response.json.content === content);
    });
    await t.step("unknown versions are not found", async () => {
      for (const part of ["", "/content", "/chunks"]) {
        const reply = await server.call("GET", `/v1/documents/doc_unknown${part}`);
        strictEqual(reply.json.code, "DOCUMENT_NOT_FOUND");
      }
      deepStrictEqual(await search(server, { query: "x" }), []);
    });
  });
});
