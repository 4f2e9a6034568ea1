/** Tests access to search, batches and retries, and errors for malformed requests. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { waitUntilDerived } from "../derived_service/views.ts";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable, type Expected } from "./table.ts";

const TEXT = "Ana restores harpsichords";
const PATH = "/v1/memories/search";

async function oneMemory(server: TestServer): Promise<{ id: string }> {
  return { id: await server.add(TEXT, { user_id: "ana", metadata: { hive: 3 } }) };
}

function invalid(path: string): Expected {
  return {
    status: 400,
    code: "INVALID_REQUEST",
    check: ({ json }) => {
      const paths = json.details.issues.map((issue: { path: string }) => issue.path);
      deepStrictEqual(paths, [path]);
    },
  };
}

const search = (body: Record<string, unknown>) => () => ({
  method: "POST",
  path: PATH,
  body: { query: "harpsichords", ...body },
});

endpointTable("POST /v1/memories/search", {
  permission: "memory:read",
  prepare: oneMemory,
  content: [TEXT],
  request: search({}),
  owner: {
    status: 200,
    shows: [TEXT, '"score":'],
    hides: ['"seq"', '"project', '"terms"', '"trace"'],
    check: ({ json }) => {
      strictEqual(json.results.length, 1);
      ok(json.results[0].score > 0 && json.results[0].score <= 1);
    },
  },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "a malformed Idempotency-Key is ignored",
      request: () => ({
        ...search({})(),
        headers: { "idempotency-key": "k".repeat(500) },
      }),
      status: 200,
      shows: [TEXT],
    },
    {
      when: "the trace shows no memories that belong to a different user",
      request: search({ user_id: "bo", trace: true }),
      status: 200,
      hides: [TEXT, "mem_"],
    },
    { when: "no query", request: search({ query: undefined }), ...invalid("query") },
    { when: "an empty query", request: search({ query: " \n" }), ...invalid("query") },
    {
      when: "a query of 8,000 characters",
      request: search({ query: "harpsichord ".repeat(666) + "ab cdefg" }),
      status: 200,
      shows: [TEXT],
    },
    {
      when: "a query of 8,001 characters",
      request: search({ query: "x".repeat(8_001) }),
      ...invalid("query"),
    },
    ...[0, 51, 1.5, "10", null].map((top_k) => ({
      when: `top_k ${JSON.stringify(top_k)}`,
      request: search({ top_k }),
      ...invalid("top_k"),
    })),
    {
      when: "`limit` is an alias of `top_k` and is named in errors",
      request: search({ limit: 51 }),
      ...invalid("limit"),
    },
    {
      when: "the maximum number of results",
      request: search({ top_k: 50 }),
      status: 200,
      shows: [TEXT],
    },
    ...[-0.1, 1.1, "0.5"].map((min_score) => ({
      when: `min_score ${JSON.stringify(min_score)}`,
      request: search({ min_score }),
      ...invalid("min_score"),
    })),
    ...["mode", "search_strategy", "sort_by", "memory_type", "trace"].map((field) => ({
      when: `an invalid ${field}`,
      request: search({ [field]: "sideways" }),
      ...invalid(field),
    })),
    { when: "an empty scope", request: search({ user_id: " " }), ...invalid("user_id") },
    {
      when: "a scope with white space around it",
      request: search({ user_id: " ana\t" }),
      status: 200,
      shows: [TEXT],
    },
    {
      when: "a filter with an unknown operator",
      request: search({ filters: { AND: [{ hive: { above: 2 } }] } }),
      ...invalid("filters.AND.0.hive.above"),
    },
    {
      when: "a filter that is not an object",
      request: search({ filters: [] }),
      ...invalid("filters"),
    },
    ...['"', "* OR *", "NEAR(a b)", "text:harpsichord", "-harpsichord", "'; drop table memories"]
      .map(
        (query) => ({
          when: `the query ${query} is treated as words`,
          request: search({ query }),
          status: 200,
        }),
      ),
  ],
});

async function movedHome(server: TestServer): Promise<{ ids: readonly string[] }> {
  const add = (text: string, user_id: string, event_date: string) =>
    server.add(text, { user_id, event_date });
  const ids = [
    await add("I live in Lisbon.", "ana", "2020-01-01"),
    await add("I live in Porto.", "ana", "2024-05-01"),
    await add("I live in Faro.", "bo", "2021-01-01"),
  ];
  await waitUntilDerived(server);
  return { ids };
}

const searchWithBeliefs = (body: Record<string, unknown>) => () => ({
  method: "POST",
  path: PATH,
  body: { query: "where does the user live", beliefs: true, ...body },
});

endpointTable("POST /v1/memories/search with beliefs", {
  permission: "memory:read",
  prepare: movedHome,
  content: ["Lisbon", "Porto", "Faro"],
  request: searchWithBeliefs({ user_id: "ana" }),
  owner: {
    status: 200,
    shows: ['"beliefs":[{"subject":"user","attribute":"lives_in","facts":['],
    hides: ["Faro"],
    check: ({ json }) => {
      const [{ facts }] = json.beliefs;
      deepStrictEqual(Object.keys(facts[0]).sort(), [
        "source_ids",
        "valid_from",
        "valid_to",
        "value",
      ]);
      deepStrictEqual(facts.map(({ value }: { value: string }) => value), ["Lisbon", "Porto"]);
      strictEqual(facts[0].valid_to, facts[1].valid_from);
    },
  },
  stranger: { status: 200, shows: ['{"results":[]}'] },
  rows: [
    {
      when: "not requested",
      request: searchWithBeliefs({ user_id: "ana", beliefs: undefined }),
      status: 200,
      hides: ['"beliefs"'],
    },
    {
      when: "no scope, because values of different users don't form a chain",
      request: searchWithBeliefs({}),
      status: 200,
      shows: ["Faro"],
      hides: ['"beliefs"'],
    },
    {
      when: "a value that has never changed",
      request: searchWithBeliefs({ user_id: "bo" }),
      status: 200,
      shows: ["Faro"],
      hides: ['"beliefs"'],
    },
    {
      when: "a value of beliefs that is not a boolean",
      request: searchWithBeliefs({ beliefs: "yes" }),
      ...invalid("beliefs"),
    },
  ],
});

const batch = (method: string, memories: unknown, key: string | null = crypto.randomUUID()) => ({
  method,
  path: "/v1/memories/batch",
  body: { memories },
  headers: key === null ? {} : { "idempotency-key": key },
});

for (const method of ["PUT", "DELETE"] as const) {
  const item = (memory_id: string) =>
    method === "PUT" ? { memory_id, importance: 0.1 } : { memory_id };
  const kind = method === "PUT" ? "batch_update" : "batch_delete";
  endpointTable(`${method} /v1/memories/batch`, {
    permission: "memory:write",
    prepare: oneMemory,
    content: [TEXT],
    request: ({ id }) => batch(method, [item(id)]),
    owner: { status: 202, shows: [`"kind":"${kind}"`, '"id":"task_'], hides: [TEXT, "payload"] },
    stranger: { status: 202, shows: [`"kind":"${kind}"`] },
    rows: [
      {
        when: "no Idempotency-Key",
        request: ({ id }) => batch(method, [item(id)], null),
        status: 400,
        code: "IDEMPOTENCY_KEY_REQUIRED",
      },
      { when: "no items", request: () => batch(method, []), ...invalid("memories") },
      {
        when: "1,000 items",
        request: () => batch(method, Array.from({ length: 1_000 }, (_, n) => item(`mem_${n}`))),
        status: 202,
      },
      {
        when: "1,001 items",
        request: () => batch(method, Array.from({ length: 1_001 }, (_, n) => item(`mem_${n}`))),
        ...invalid("memories"),
      },
      {
        when: "the same memory twice",
        request: () => batch(method, [item("mem_1"), item("mem_2"), item("mem_1")]),
        ...invalid("memories.2.memory_id"),
      },
      {
        when: "an item without a memory id",
        request: () => batch(method, [{ importance: 1 }]),
        ...invalid("memories.0.memory_id"),
      },
      {
        when: "a body of more than 750,000 bytes",
        request: () => batch(method, [{ ...item("mem_1"), ignored: "x".repeat(750_000) }]),
        status: 413,
        code: "REQUEST_TOO_LARGE",
      },
    ],
  });
}

endpointTable("POST /v1/operations/{id}/retry", {
  permission: "memory:write",
  prepare: async (server) => {
    const queued = await server.call("POST", "/v1/memories", {
      body: { content: TEXT, user_id: "ana" },
      headers: { "idempotency-key": "queue" },
    });
    return { id: queued.json.event_id };
  },
  content: ["memory_infer", TEXT],
  request: () => ({ method: "POST", path: "/v1/operations/task_unknown/retry" }),
  owner: { status: 404, code: "OPERATION_NOT_RETRYABLE" },
  stranger: { status: 404, code: "OPERATION_NOT_RETRYABLE" },
});
