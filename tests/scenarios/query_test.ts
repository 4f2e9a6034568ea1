/** Tests access to exact queries over memories, and errors for malformed requests. */

import { deepStrictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable, type Expected } from "./table.ts";

const TEXT = "Ana restores harpsichords";

async function oneMemory(server: TestServer): Promise<{ id: string }> {
  return { id: await server.add(TEXT, { user_id: "ana", metadata: { hive: 3 } }) };
}

const query = (body: Record<string, unknown>) => () => ({
  method: "POST",
  path: "/v1/memories/query",
  body,
});

function invalid(path: string): Expected {
  return {
    status: 400,
    code: "INVALID_REQUEST",
    check: ({ json }) =>
      deepStrictEqual(json.details.issues.map((issue: { path: string }) => issue.path), [path]),
  };
}

endpointTable("POST /v1/memories/query", {
  permission: "memory:read",
  prepare: oneMemory,
  content: [TEXT],
  request: query({ filters: { hive: 3 }, count: true }),
  owner: {
    status: 200,
    shows: [TEXT, '"next_cursor":null', '"count":1'],
    hides: ['"seq"', '"project', '"score"'],
  },
  stranger: { status: 200, shows: ['"results":[]', '"count":0'] },
  rows: [
    { when: "all fields are optional", request: query({}), status: 200, shows: [TEXT] },
    {
      when: "no count is returned unless requested",
      request: query({}),
      status: 200,
      hides: ['"count"'],
    },
    {
      when: "the order is unknown",
      request: query({ order_by: "score" }),
      ...invalid("order_by"),
    },
    {
      when: "the direction is unknown",
      request: query({ direction: "up" }),
      ...invalid("direction"),
    },
    { when: "the limit is too high", request: query({ limit: 101 }), ...invalid("limit") },
    { when: "the cursor is forged", request: query({ cursor: "AAAA" }), ...invalid("cursor") },
    {
      when: "the filter is invalid",
      request: query({ filters: { hive: { above: 2 } } }),
      ...invalid("filters.hive.above"),
    },
  ],
});
