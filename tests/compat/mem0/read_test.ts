/** Tests searches, lists and history through the mem0-compatible API. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../../testing/harness.ts";
import { addText, checkError, mem0, mem0Json } from "./mem0.ts";

type Found = { readonly memory: string };

const SEARCH = "/v3/memories/search/";
const LIST = "/v3/memories/";

/** Returns the texts that a search or a list finds, sorted. */
async function texts(server: TestServer, path: string, body: unknown): Promise<string[]> {
  const { results } = await mem0Json(server, "POST", path, { body });
  return results.map(({ memory }: Found) => memory).sort();
}

async function addDrinks(server: TestServer): Promise<void> {
  await addText(server, "Green tea after lunch", {
    user_id: "ana",
    run_id: "r1",
    metadata: { kind: "tea", categories: ["drinks", "Food"] },
  });
  await addText(server, "Black tea in the morning", { user_id: "ana", app_id: "kitchen" });
  await addText(server, "Mint tea on Sundays", {
    user_id: "bo",
    agent_id: "7",
    expiration_date: "2001-01-01",
  });
}

Deno.test("searches and lists through mem0's API apply its filters", async (t) => {
  const green = "Green tea after lunch";
  const black = "Black tea in the morning";
  const mint = "Mint tea on Sundays";
  const cases:
    readonly (readonly [name: string, selection: object, expected: readonly string[]])[] = [
      ["no filter", {}, [black, green]],
      ["entity ids in filters", { filters: { user_id: "ana" } }, [black, green]],
      ["entity ids beside filters", { user_id: "ana", run_id: "r1" }, [green]],
      ["entity ids in AND", { filters: { AND: [{ user_id: "ana" }, { run_id: "r1" }] } }, [green]],
      ["entity ids in OR", { filters: { OR: [{ run_id: "r1" }, { app_id: "kitchen" }] } }, [
        black,
        green,
      ]],
      ["the same entity twice", { user_id: "ana", filters: { user_id: "bo" } }, []],
      ["a wildcard", { filters: { run_id: "*" } }, [green]],
      ["a wildcard for an app", { filters: { AND: [{ user_id: "ana" }, { app_id: "*" }] } }, [
        black,
      ]],
      ["NOT", { filters: { NOT: [{ run_id: "r1" }] } }, [black]],
      ["a list of ids", { filters: { user_id: ["ana", "eve"] } }, [black, green]],
      ["a number as id", { filters: { agent_id: 7 }, show_expired: true }, [mint]],
      ["numbers in a list", { filters: { agent_id: { in: [7] } }, show_expired: true }, [mint]],
      ["expired memories", { show_expired: true }, [black, green, mint]],
      ["metadata", { filters: { metadata: { kind: "tea" } } }, [green]],
      ["metadata by its bare name", { filters: { kind: "tea" } }, [green]],
      ["the field metadata", { metadata: { kind: "tea" } }, [green]],
      ["categories", { categories: ["drinks"] }, [green]],
      ["categories in filters", { filters: { categories: { in: ["drinks", "x"] } } }, [green]],
      ["categories in any case", { filters: { categories: { contains: "food" } } }, [green]],
      ["keywords", { filters: { keywords: { icontains: "MORNING" } } }, [black]],
      ["two names of one field", { filters: { keywords: { contains: "tea" }, text: black } }, [
        black,
      ]],
      ["two names of an app", { filters: { app_id: "kitchen", "metadata.app_id": "x" } }, []],
      ["dates", { filters: { created_at: { gte: "2999-01-01" } } }, []],
      ["latest_only", { latest_only: true }, [black, green]],
      ["an app", { app_id: "kitchen" }, [black]],
    ];
  await withServer(async (server) => {
    await addDrinks(server);
    for (const [name, selection, expected] of cases) {
      await t.step(name, async () => {
        deepStrictEqual(await texts(server, LIST, selection), expected, "list");
        const query = { query: "tea", ...selection };
        deepStrictEqual(await texts(server, SEARCH, query), expected, "search");
        deepStrictEqual(await texts(server, "/search", query), expected, "own server");
      });
    }
    await t.step("memory_ids", async () => {
      const { results: [first] } = await mem0Json(server, "POST", LIST, { body: {} });
      deepStrictEqual(await texts(server, LIST, { filters: { memory_ids: [first.id] } }), [
        first.memory,
      ]);
    });
  });
});

Deno.test("a search through mem0's API returns what the API finds, in the same order", async () => {
  await withServer(async (server) => {
    await addDrinks(server);
    const body = { query: "tea in the morning", user_id: "ana" };
    const own = (await server.call("POST", "/v1/memories/search", { body })).json.results;
    const found = await mem0Json(server, "POST", SEARCH, {
      body: { query: body.query, filters: { user_id: "ana" }, top_k: 1000, rerank: true },
    });
    deepStrictEqual(
      found.results.map(({ id, score }: Record<string, unknown>) => [id, score]),
      own.map(({ id, score }: Record<string, unknown>) => [id, score]),
    );
    deepStrictEqual(found.ignored, ["rerank"]);
    const strict = await mem0Json(server, "POST", SEARCH, {
      body: { ...body, threshold: 1, fields: ["memory"] },
    });
    deepStrictEqual(strict, { results: [] });
    const picked = await mem0Json(server, "POST", SEARCH, {
      body: { ...body, top_k: 1, fields: ["memory"] },
    });
    deepStrictEqual(Object.keys(picked.results[0]), ["id", "memory"]);
  });
});

Deno.test("lists through mem0's API have pages with counts and links", async () => {
  await withServer(async (server) => {
    for (const n of [1, 2, 3, 4, 5]) await addText(server, `Note ${n}`);
    await addText(server, "Another user's", { user_id: "bo" });
    const body = { filters: { user_id: "ana" } };
    const seen: string[] = [];
    for (let url: string | null = `${LIST}?page=1&page_size=2`, page = 1; url; page++) {
      const { count, next, previous, results } = await mem0Json(server, "POST", url, { body });
      strictEqual(count, 5);
      strictEqual(previous === null, page === 1);
      seen.push(...results.map(({ memory }: Found) => memory));
      url = next?.slice(`${server.url}/mem0`.length) ?? null;
    }
    deepStrictEqual(seen, ["Note 5", "Note 4", "Note 3", "Note 2", "Note 1"]);
    const inBody = { ...body, page: 3, page_size: 2 };
    deepStrictEqual(await texts(server, LIST, inBody), ["Note 1"]);
    const odd = { ...body, enable_graph: true, org_id: "x", rerank: false };
    deepStrictEqual((await mem0Json(server, "POST", LIST, { body: odd })).ignored, [
      "enable_graph",
    ]);
    const beyond = await mem0Json(server, "POST", `${LIST}?page=9`, { body });
    deepStrictEqual([beyond.count, beyond.results, beyond.next], [5, [], null]);

    const first = await mem0Json(server, "GET", "/v1/memories/?user_id=ana&page=1&page_size=2");
    ok(first.next.includes("user_id=ana"), first.next);
    strictEqual(first.results.length, 2);
    const ownServer = await mem0Json(server, "GET", "/memories?user_id=ana&top_k=3");
    deepStrictEqual([Object.keys(ownServer), ownServer.results.length], [["results"], 3]);
  });
});

Deno.test("clients before version 3 get lists without an envelope", async () => {
  await withServer(async (server) => {
    await addText(server, "Green tea");
    const headers = { "mem0-user-id": "0123" };
    const body = { query: "tea", user_id: "ana" };
    for (const path of ["/v1/memories/search/", "/v2/memories/search"]) {
      const found = await mem0Json(server, "POST", path, { body, headers });
      strictEqual(found[0].memory, "Green tea");
      const newer = { ...headers, "x-mem0-client": "mem0-python/2.2.1" };
      const wrapped = await mem0Json(server, "POST", path, { body, headers: newer });
      strictEqual(wrapped.results[0].memory, "Green tea");
    }
    const list = await mem0Json(server, "GET", "/v1/memories/?user_id=ana", { headers });
    strictEqual(list[0].memory, "Green tea");
    const page = "/v1/memories/?user_id=ana&page=1&page_size=5";
    strictEqual((await mem0Json(server, "GET", page, { headers })).count, 1);
    const messages = { messages: "Mint tea", user_id: "ana" };
    const added = await mem0Json(server, "POST", "/v1/memories/", { body: messages, headers });
    strictEqual(added[0].status, "PENDING");
  });
});

Deno.test("history through mem0's API is a bare list without ratings", async () => {
  await withServer(async (server) => {
    const id = await addText(server, "Green tea", { user_id: "ana", metadata: { cups: 1 } });
    const update = { text: "Black tea", metadata: { cups: 2 } };
    await mem0Json(server, "PUT", `/v1/memories/${id}/`, { body: update });
    const rating = { memory_id: id, feedback: "POSITIVE" };
    await mem0Json(server, "POST", "/v1/feedback/", { body: rating });
    const shape = async () => {
      const entries = await mem0Json(server, "GET", `/v1/memories/${id}/history/`);
      return entries.map(({ event, old_memory, new_memory, user_id }: Record<string, unknown>) => [
        event,
        old_memory,
        new_memory,
        user_id,
      ]);
    };
    const changes = [["ADD", null, "Green tea"], ["UPDATE", "Green tea", "Black tea"]];
    deepStrictEqual(await shape(), changes.map((change) => [...change, "ana"]));
    await mem0Json(server, "DELETE", `/v1/memories/${id}/`);
    const deleted = ["DELETE", "Black tea", null];
    deepStrictEqual(await shape(), [...changes, deleted].map((change) => [...change, null]));
  });
});

Deno.test("the memories of a user, an agent and a run are listed as entities", async () => {
  await withServer(async (server) => {
    await addText(server, "Tea", { user_id: "ana", agent_id: "cook", run_id: "r1" });
    const { count, next, previous, results } = await mem0Json(server, "GET", "/v1/entities/");
    deepStrictEqual([count, next, previous], [3, null, null]);
    deepStrictEqual(
      results.map(({ name, type, total_memories, owner }: Record<string, unknown>) => [
        name,
        type,
        total_memories,
        owner,
      ]).sort(),
      [["ana", "user", 1, "commonplace"], ["cook", "agent", 1, "commonplace"], [
        "r1",
        "run",
        1,
        "commonplace",
      ]],
    );
    const page = await mem0Json(server, "GET", "/v1/entities/?page=2&page_size=2");
    deepStrictEqual([page.results.length, page.next, page.count], [1, null, 3]);
    const own = await mem0Json(server, "GET", "/entities");
    deepStrictEqual(own.map(({ id }: { id: string }) => id).sort(), ["ana", "cook", "r1"]);
  });
});

Deno.test("an invalid search or list through mem0's API names the field", async (t) => {
  const deep = (levels: number): object => levels === 0 ? { a: 1 } : { AND: [deep(levels - 1)] };
  const cases: readonly (readonly [field: string, path: string, body: unknown])[] = [
    ["query", SEARCH, {}],
    ["query", SEARCH, { query: " " }],
    ["query", SEARCH, { query: "x".repeat(8_001) }],
    ["top_k", SEARCH, { query: "tea", top_k: 0 }],
    ["top_k", SEARCH, { query: "tea", top_k: 1_001 }],
    ["threshold", SEARCH, { query: "tea", threshold: 1.5 }],
    ["filters", SEARCH, { query: "tea", filters: [] }],
    ["filters.user_id.like", SEARCH, { query: "tea", filters: { user_id: { like: "a" } } }],
    ["filters.AND", SEARCH, { query: "tea", filters: { AND: "x" } }],
    ["filters.AND", LIST, { filters: { AND: 5, text: "x", keywords: "y" } }],
    ["filters.user_id.in", LIST, { filters: { user_id: { in: Array(501).fill("x") } } }],
    ["fields", LIST, { fields: [1] }],
    ["page", `${LIST}?page=0`, {}],
    ["page_size", `${LIST}?page_size=201`, {}],
    ["page", `${LIST}?page=x`, {}],
    ["start_date", LIST, { start_date: "yesterday" }],
    ["show_expired", LIST, { show_expired: "maybe" }],
  ];
  await withServer(async (server) => {
    for (const [field, path, body] of cases) {
      await t.step(`${path} ${JSON.stringify(body).slice(0, 60)}`, async () => {
        const reply = await mem0(server, "POST", path, { body });
        checkError(reply, 400, "INVALID_REQUEST");
        ok(reply.json.details.issues[0].path.startsWith(field), reply.text);
      });
    }
    for (const levels of [9, 40]) {
      const reply = await mem0(server, "POST", LIST, { body: { filters: deep(levels) } });
      checkError(reply, 400, "INVALID_REQUEST");
    }
    // As deep as the API allows, even with the conditions that are added here.
    const body = { filters: deep(7), categories: ["x"], latest_only: true };
    strictEqual((await mem0(server, "POST", LIST, { body })).status, 200);
  });
});

Deno.test("a list in the query of mem0's API repeats its parameter or has commas", async () => {
  await withServer(async (server) => {
    await addDrinks(server);
    await addText(server, "Rye bread", { user_id: "ana", metadata: { categories: ["bread"] } });
    for (const categories of ["categories=drinks&categories=bread", "categories=drinks,bread"]) {
      const path = `/v1/memories/?user_id=ana&page=1&fields=memory&fields=id&${categories}`;
      const { results } = await mem0Json(server, "GET", path);
      deepStrictEqual(
        results.map((found: Found) => Object.keys(found).sort()),
        [["id", "memory"], ["id", "memory"]],
      );
      deepStrictEqual(results.map(({ memory }: Found) => memory).sort(), [
        "Green tea after lunch",
        "Rye bread",
      ]);
    }
    const twice = "/v1/memories/?user_id=ana&user_id=bo";
    checkError(await mem0(server, "DELETE", twice), 400, "INVALID_REQUEST");
  });
});
