/** Tests exact queries over memories: filters, orders, pages and counts. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { compileFilter } from "../../src/search/query/filter.ts";
import type { Filterable } from "../../src/search/query/filterable.ts";

type Body = Readonly<Record<string, unknown>>;

/** Follows a query's cursors to the end and returns the texts on each page. */
async function pagesOf(server: TestServer, body: Body): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: Body = cursor === null ? body : { ...body, cursor };
    const { status, json, text } = await server.call("POST", "/v1/memories/query", { body: page });
    strictEqual(status, 200, text);
    pages.push(json.results.map(({ memory }: { memory: string }) => memory));
    cursor = json.next_cursor;
  } while (cursor !== null);
  return pages;
}

/** Adds cups of tea with different dates, importance and metadata, in this order. */
async function addTeas(server: TestServer): Promise<void> {
  const teas = [
    { content: "green", user_id: "ana", importance: 0.9, event_date: "2026-02-01" },
    { content: "black", user_id: "ana", importance: 0.1, metadata: { cups: 2 } },
    { content: "white", user_id: "bo", importance: 0.9, metadata: { cups: 3, with: ["honey"] } },
    { content: "mint", user_id: "bo", importance: 0.5, event_date: "2025-02-01" },
  ];
  for (const tea of teas) {
    const { status } = await server.call("POST", "/v1/memories", {
      body: { ...tea, infer: false },
    });
    strictEqual(status, 200);
  }
}

Deno.test("POST /v1/memories/query orders by each field, with missing dates last", async () => {
  await withServer(async (server) => {
    await addTeas(server);
    const orders: [Body, string][] = [
      [{}, "mint white black green"],
      [{ direction: "asc" }, "green black white mint"],
      [{ order_by: "importance" }, "white green mint black"],
      [{ order_by: "importance", direction: "asc" }, "black mint green white"],
      [{ order_by: "event_date" }, "green mint white black"],
      [{ order_by: "event_date", direction: "asc" }, "mint green black white"],
    ];
    for (const [body, expected] of orders) {
      deepStrictEqual((await pagesOf(server, body)).flat(), expected.split(" "));
      const pages = await pagesOf(server, { ...body, limit: 1 });
      deepStrictEqual(pages, expected.split(" ").map((text) => [text]));
    }
    const black = (await server.call("POST", "/v1/memories/query", {
      body: { filters: { memory: "black" } },
    })).json.results[0].id;
    await server.call("PUT", `/v1/memories/${black}`, { body: { importance: 0.2 } });
    strictEqual((await pagesOf(server, { order_by: "updated_at" })).flat()[0], "black");
  });
});

Deno.test("POST /v1/memories/query applies scope, type and filter, and counts what matches", async () => {
  await withServer(async (server) => {
    await addTeas(server);
    const queries: [Body, string[]][] = [
      [{ user_id: "ana" }, ["black", "green"]],
      [{ user_id: "ana", agent_id: "x" }, []],
      [{ memory_type: "event" }, []],
      [{ filters: { cups: 2 } }, ["black"]],
      [{ filters: { cups: { gte: 2 } } }, ["white", "black"]],
      [{ filters: { NOT: { cups: "*" } } }, ["mint", "green"]],
      [{ filters: { with: { icontains: "HONEY" } } }, ["white"]],
      [{ user_id: "bo", filters: { memory: { contains: "i" } } }, ["mint", "white"]],
    ];
    for (const [body, expected] of queries) {
      const { json } = await server.call("POST", "/v1/memories/query", {
        body: { ...body, count: true, limit: 1 },
      });
      strictEqual(json.count, expected.length, JSON.stringify(body));
      deepStrictEqual((await pagesOf(server, body)).flat(), expected, JSON.stringify(body));
    }
  });
});

Deno.test("POST /v1/memories/query rejects cursors from another query", async () => {
  await withServer(async (server) => {
    await addTeas(server);
    const first = { limit: 1, filters: { cups: "*" } };
    const { json } = await server.call("POST", "/v1/memories/query", { body: first });
    const changes = [{ filters: {} }, { order_by: "importance" }, { direction: "asc" }, {
      user_id: "bo",
    }];
    for (const change of changes) {
      const body = { ...first, cursor: json.next_cursor, ...change };
      strictEqual((await server.call("POST", "/v1/memories/query", { body })).status, 400);
    }
  });
});

Deno.test("POST /v1/memories/query returns exactly what the filter matches, for any filter", async () => {
  await withServer(async (server) => {
    const messages = Array.from({ length: 60 }, (_, n) => ({
      role: "user",
      content: ["tea", "Tea", "coffee"][n % 3]! + n,
    }));
    const body = { messages, user_id: "ana", infer: false, metadata: { city: "Porto", size: 3 } };
    await server.call("POST", "/v1/memories", { body });
    const all = (await server.call("GET", "/v1/memories?user_id=ana&limit=100")).json
      .results as (Filterable & { id: string })[];
    const condition = fc.oneof(
      fc.record({ memory: fc.record({ contains: fc.constantFrom("tea", "1", "ee", "☕") }) }),
      fc.record({ memory: fc.record({ icontains: fc.constantFrom("TEA", "5") }) }),
      fc.record({ city: fc.constantFrom("Porto", "Lisbon", null, "*") }),
      fc.record({ size: fc.record({ gt: fc.integer({ min: 1, max: 4 }) }) }),
      fc.record({ id: fc.record({ in: fc.constantFrom([all[0]!.id], [all[3]!.id, "mem_x"]) }) }),
    );
    const filter = fc.oneof(
      condition,
      fc.record({ NOT: condition }),
      fc.record({ OR: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
      fc.record({ AND: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(filter, async (filters) => {
        const { json } = await server.call("POST", "/v1/memories/query", {
          body: { filters, limit: 100, count: true },
        });
        const matches = all.filter(compileFilter(filters));
        deepStrictEqual(json.results, matches);
        strictEqual(json.count, matches.length);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});
