/** Tests the endpoints for feedback on a memory: get, set, clear. */

import { deepStrictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable } from "./table.ts";

const REASON = "It named the wrong city";
const UNKNOWN = "/v1/memories/mem_00000000000000000000000000/feedback";
const NOT_FOUND = { status: 404, code: "MEMORY_NOT_FOUND" };
const INVALID = { status: 400, code: "INVALID_REQUEST" };

async function ratedMemory(server: TestServer): Promise<{ path: string }> {
  const path = `/v1/memories/${await server.add("Ana lives in Porto")}/feedback`;
  await server.call("POST", path, { body: { rating: "negative", reason: REASON } });
  return { path };
}

async function memory(server: TestServer): Promise<{ path: string }> {
  return { path: `/v1/memories/${await server.add("Ana lives in Porto")}/feedback` };
}

endpointTable("GET /v1/memories/{id}/feedback", {
  permission: "memory:read",
  prepare: ratedMemory,
  content: [REASON],
  request: ({ path }) => ({ method: "GET", path }),
  owner: {
    status: 200,
    shows: [REASON, '"rating":"negative"', '"request_id":null'],
    hides: ['"project'],
  },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "an unknown id",
      request: () => ({ method: "GET", path: UNKNOWN }),
      ...NOT_FOUND,
    },
  ],
});

endpointTable("POST /v1/memories/{id}/feedback", {
  permission: "memory:write",
  prepare: memory,
  request: ({ path }) => ({
    method: "POST",
    path,
    body: { rating: "positive", reason: REASON, request_id: "req_of_theirs" },
  }),
  owner: { status: 200, shows: [REASON, '"request_id":"req_of_theirs"', '"id":"fb_'] },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "no rating",
      request: ({ path }) => ({ method: "POST", path, body: { reason: REASON } }),
      ...INVALID,
    },
    {
      when: "an unknown rating",
      request: ({ path }) => ({ method: "POST", path, body: { rating: "superb" } }),
      ...INVALID,
    },
    {
      when: "a reason of 2,000 characters",
      request: ({ path }) => ({
        method: "POST",
        path,
        body: { rating: "positive", reason: "r".repeat(2_000) },
      }),
      status: 200,
    },
    {
      when: "a reason of 2,001 characters",
      request: ({ path }) => ({
        method: "POST",
        path,
        body: { rating: "positive", reason: "r".repeat(2_001) },
      }),
      ...INVALID,
    },
    {
      when: "an unknown id",
      request: () => ({ method: "POST", path: UNKNOWN, body: { rating: "positive" } }),
      ...NOT_FOUND,
    },
  ],
});

endpointTable("DELETE /v1/memories/{id}/feedback", {
  permission: "memory:write",
  prepare: ratedMemory,
  content: [REASON],
  request: ({ path }) => ({ method: "DELETE", path }),
  owner: { status: 200, check: ({ json }) => deepStrictEqual(json, { cleared: true }) },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "a second time succeeds too",
      request: ({ path }) => ({ method: "DELETE", path }),
      status: 200,
      shows: ['"cleared":true'],
    },
    {
      when: "an unknown id",
      request: () => ({ method: "DELETE", path: UNKNOWN }),
      ...NOT_FOUND,
    },
  ],
});
