/**
 * Tests operations, events and health: they're readable with operations:read, and never contain a
 * command's content.
 */

import { ok, strictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable } from "./table.ts";

/**
 * Since this is a question, no memory is extracted from it, and its words must not appear in any
 * response.
 */
const TEXT = "Did Ana hear the secret of Bo?";
const INVALID = { status: 400, code: "INVALID_REQUEST" };

async function queued(server: TestServer): Promise<{ id: string }> {
  const added = await server.call("POST", "/v1/memories", {
    body: { content: TEXT, user_id: "ana", run_id: "r1" },
    headers: { "idempotency-key": "queue" },
  });
  return { id: added.json.event_id };
}

endpointTable("GET /v1/operations", {
  permission: "operations:read",
  prepare: queued,
  content: ["task_", TEXT],
  request: () => ({ method: "GET", path: "/v1/operations" }),
  owner: { status: 200, shows: ['"kind":"memory_infer"'], hides: [TEXT, "payload", "lease"] },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "a reserved status, which no operation has",
      request: () => ({ method: "GET", path: "/v1/operations?status=committed" }),
      status: 200,
      shows: ['"results":[]'],
    },
    {
      when: "`state` is an alias of `status`",
      request: () => ({ method: "GET", path: "/v1/operations?state=dead" }),
      status: 200,
      shows: ['"results":[]'],
    },
    {
      when: "of one kind",
      request: () => ({ method: "GET", path: "/v1/operations?kind=export" }),
      status: 200,
      shows: ['"results":[]'],
    },
    {
      when: "an unknown status; the error lists the known ones",
      request: () => ({ method: "GET", path: "/v1/operations?status=done" }),
      ...INVALID,
      shows: ["pending", "success", "dead", "awaiting_upload"],
    },
    {
      when: "an unknown kind; the error lists the known ones",
      request: () => ({ method: "GET", path: "/v1/operations?kind=magic" }),
      ...INVALID,
      shows: ["document_extract", "batch_update", "memory_infer"],
    },
    {
      when: "limit 0",
      request: () => ({ method: "GET", path: "/v1/operations?limit=0" }),
      ...INVALID,
    },
  ],
});

endpointTable("GET /v1/operations/{id}", {
  permission: "operations:read",
  prepare: queued,
  content: ["memory_infer", TEXT],
  request: ({ id }) => ({ method: "GET", path: `/v1/operations/${id}` }),
  owner: {
    status: 200,
    shows: ['"kind":"memory_infer"', '"max_attempts":5'],
    hides: [TEXT, "payload", "lease", '"project', '"boot'],
  },
  stranger: { status: 404, code: "OPERATION_NOT_FOUND" },
  rows: [
    {
      when: "an unknown id",
      request: () => ({ method: "GET", path: "/v1/operations/task_0" }),
      status: 404,
      code: "OPERATION_NOT_FOUND",
    },
  ],
});

endpointTable("GET /v1/events", {
  permission: "operations:read",
  prepare: queued,
  content: ["task_", TEXT],
  request: () => ({ method: "GET", path: "/v1/events" }),
  owner: {
    status: 200,
    shows: ['"event_type":"ADD"', '"scope":{"user_id":"ana","run_id":"r1"}'],
    hides: [TEXT, "payload", "messages"],
  },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "a status that no event has",
      request: () => ({ method: "GET", path: "/v1/events?status=FAILED" }),
      status: 200,
      shows: ['"results":[]'],
    },
    {
      when: "an unknown status",
      request: () => ({ method: "GET", path: "/v1/events?status=pending" }),
      ...INVALID,
      shows: ["PENDING", "SUCCEEDED"],
    },
  ],
});

endpointTable("GET /v1/events/{id}", {
  permission: "operations:read",
  prepare: queued,
  content: ['"event_type"', TEXT],
  request: ({ id }) => ({ method: "GET", path: `/v1/events/${id}` }),
  owner: { status: 200, shows: ['"event_type":"ADD"'], hides: [TEXT, "payload", "messages"] },
  stranger: { status: 404, code: "EVENT_NOT_FOUND" },
  rows: [
    {
      when: "an unknown id",
      request: () => ({ method: "GET", path: "/v1/events/task_0" }),
      status: 404,
      code: "EVENT_NOT_FOUND",
    },
  ],
});

endpointTable("GET /v1/health", {
  permission: "operations:read",
  prepare: queued,
  request: () => ({ method: "GET", path: "/v1/health" }),
  owner: {
    status: 200,
    hides: [TEXT],
    check: ({ json }) => {
      ok(["ok", "degraded"].includes(json.status));
      strictEqual(typeof json.tasks.pending, "number");
    },
  },
  stranger: {
    status: 200,
    check: ({ json }) =>
      strictEqual(json.tasks.pending, 0, "tasks of other projects are not counted"),
  },
});
