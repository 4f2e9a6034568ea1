/** Tests filters in document search and in the list of documents. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { ingestDocument, search } from "./documents.ts";

const MINILM = { embedder: { ...NO_EMBEDDER, name: "minilm" } } as const;

/** Adds a hundred notes about rivers: every tenth is a long Markdown text from a shelf of its own. */
async function addNotes(server: TestServer): Promise<void> {
  for (let n = 0; n < 100; n++) {
    await ingestDocument(server, {
      content: `The river number ${n} is long.${n % 10 === 0 ? " It bends.".repeat(400) : ""}`,
      source_key: `note-${n}`,
      title: n % 2 === 0 ? "Even river" : "Odd river",
      mime_type: n % 10 === 0 ? "text/markdown" : "text/plain",
      metadata: { n, shelf: n % 10 === 0 ? "top" : "bottom", tags: ["water", `t${n % 3}`] },
    });
  }
}

const FILTERS: readonly [filters: Record<string, unknown>, matches: (n: number) => boolean][] = [
  [{ mime_type: "text/markdown" }, (n) => n % 10 === 0],
  [{ title: { icontains: "EVEN" } }, (n) => n % 2 === 0],
  [{ metadata: { shelf: "top" } }, (n) => n % 10 === 0],
  [{ "metadata.n": { gte: 40, lt: 45 } }, (n) => n >= 40 && n < 45],
  [{ tags: { contains: "t1" } }, (n) => n % 3 === 1],
  [{ NOT: { shelf: "bottom" } }, (n) => n % 10 === 0],
  [{ OR: [{ n: 7 }, { source_key: "note-8" }] }, (n) => n === 7 || n === 8],
  [{ created_at: { gt: "2020-01-01" }, size_bytes: { gt: 1_000 } }, (n) => n % 10 === 0],
  [{ shelf: "middle" }, () => false],
];

Deno.test("POST /v1/documents/search finds only passages of documents that match the filter", async () => {
  await withServer(async (server) => {
    await addNotes(server);
    await server.waitForEmbeddings();
    for (const [filters, matches] of FILTERS) {
      const hits = await search(server, { query: "long river", filters, limit: 50 });
      const found = new Set(hits.map(({ document }) => Number(document.source_key.slice(5))));
      const expected = Array.from({ length: 100 }, (_, n) => n).filter(matches);
      deepStrictEqual([...found].sort((a, b) => a - b), expected, JSON.stringify(filters));
    }
  }, MINILM);
});

Deno.test("POST /v1/documents/search finds the one match among many, with and without vectors", async () => {
  for (const config of [{}, MINILM]) {
    await withServer(async (server) => {
      await addNotes(server);
      const [hit, ...others] = await search(server, {
        query: "river",
        filters: { n: 63 },
        limit: 1,
      });
      strictEqual(hit.document.source_key, "note-63");
      deepStrictEqual(others, []);
      const scoped = { query: "river", filters: { n: 63 }, source_key: "note-64" };
      deepStrictEqual(await search(server, scoped), []);
    }, config);
  }
});

Deno.test("GET /v1/documents pages through the documents that match the filter, newest first", async () => {
  await withServer(async (server) => {
    await addNotes(server);
    for (const [filters, matches] of FILTERS) {
      const found: number[] = [];
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ filters: JSON.stringify(filters), limit: "7" });
        if (cursor !== null) query.set("cursor", cursor);
        const { status, json } = await server.call("GET", `/v1/documents?${query}`);
        strictEqual(status, 200);
        for (const { metadata } of json.results) found.push(metadata.n);
        cursor = json.next_cursor;
      } while (cursor !== null);
      const expected = Array.from({ length: 100 }, (_, n) => 99 - n).filter(matches);
      deepStrictEqual(found, expected, JSON.stringify(filters));
    }
  });
});

Deno.test("GET /v1/documents rejects filters that aren't JSON or that don't compile", async () => {
  await withServer(async ({ call }) => {
    const refusals = [["{", "filters"], ["[]", "filters"], ['{"n":{"x":1}}', "filters.n.x"]];
    for (const [filters, path] of refusals) {
      const query = new URLSearchParams({ filters: filters! });
      const { status, json } = await call("GET", `/v1/documents?${query}`);
      strictEqual(status, 400);
      strictEqual(json.details.issues[0].path, path);
    }
  });
});
