/** Tests for semantic search in documents. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";

const MINILM = { embedder: { ...NO_EMBEDDER, name: "minilm" } };

async function ingest(
  server: TestServer,
  source_key: string,
  content: string,
  user_id = "ana",
): Promise<string> {
  const body = { source_key, content, user_id };
  const reply = await server.call("POST", "/v1/documents", { body });
  strictEqual(reply.status, 200, reply.text);
  return reply.json.id;
}

async function search(
  server: TestServer,
  query: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const reply = await server.call("POST", "/v1/documents/search", { body: { query, ...fields } });
  strictEqual(reply.status, 200, reply.text);
  return reply.json.results.map((hit: { chunk: { content: string } }) => hit.chunk.content);
}

Deno.test("POST /v1/documents/search finds a passage by meaning unless it was replaced or deleted", async () => {
  await withServer(async (server) => {
    await ingest(server, "handbook", "Employees get thirty days of vacation a year.");
    await ingest(server, "recipes", "Whisk the eggs and fold in the flour.");
    await server.waitForEmbeddings();
    const question = "How long is the paid leave?";
    strictEqual(
      (await search(server, question))[0],
      "Employees get thirty days of vacation a year.",
    );
    await ingest(server, "handbook", "The office is closed on public holidays.");
    ok(!(await search(server, question)).some((text) => text.includes("thirty")));
    await server.waitForEmbeddings();
    const { json } = await server.call("GET", "/v1/documents?user_id=ana");
    for (const { id } of json.results) await server.call("DELETE", `/v1/documents/${id}`);
    deepStrictEqual(await search(server, question), []);
    await server.waitForEmbeddings();
  }, MINILM);
});

Deno.test("POST /v1/documents/search finds a passage by meaning after many similar ones were replaced", async () => {
  const endpoint = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const { input }: { input: string[] } = await request.json();
    const vectorOf = (text: string) =>
      /passage|question/.test(text) ? [1, 0] : text.includes("answer") ? [2, 1] : [0, 1];
    return Response.json({
      data: input.map((text, index) => ({ index, embedding: vectorOf(text) })),
    });
  });
  const url = `http://127.0.0.1:${endpoint.addr.port}/v1`;
  await withServer(async (server) => {
    const section = `# Section\n\n${"Old passage. ".repeat(100)}\n`;
    await ingest(server, "handbook", section.repeat(100));
    await ingest(server, "notes", "The answer");
    await server.waitForEmbeddings();
    await search(server, "question");
    await ingest(server, "handbook", "Something else");
    await server.waitForEmbeddings();
    strictEqual((await search(server, "question"))[0], "The answer");
  }, { embedder: { ...NO_EMBEDDER, name: "openai", url, model: "any" } });
  await endpoint.shutdown();
});

Deno.test("POST /v1/documents/search by meaning respects scope and source", async () => {
  await withServer(async (server) => {
    const [puppy, kitten] = ["Ana bought a puppy last spring.", "Bo adopted a kitten in May."];
    await ingest(server, "diary", puppy!, "ana");
    await ingest(server, "letters", kitten!, "bo");
    await server.waitForEmbeddings();
    const query = "household pets";
    deepStrictEqual((await search(server, query)).sort(), [puppy, kitten]);
    deepStrictEqual(await search(server, query, { user_id: "bo" }), [kitten]);
    deepStrictEqual(await search(server, query, { source_key: "diary" }), [puppy]);
    deepStrictEqual(await search(server, query, { user_id: "bo", source_key: "diary" }), []);
  }, MINILM);
});
