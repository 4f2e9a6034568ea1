/** Tests exports in open formats: they need memory:read, and contain only the key's own project. */

import { deepStrictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { waitForImport } from "../imports/imports.ts";
import { endpointTable } from "./table.ts";

const TEXT = "Ana keeps honeybees";
const INVALID = { status: 400, code: "INVALID_REQUEST" };

let keys = 0;
const freshKey = () => ({ "idempotency-key": `export-${++keys}` });

endpointTable("POST /v1/exports/{format}", {
  permission: "memory:read",
  prepare: (server) => server.add(TEXT),
  content: [TEXT],
  request: () => ({ method: "POST", path: "/v1/exports/jsonl", headers: freshKey() }),
  owner: { status: 202, shows: ['"kind":"export_file"', '"pending"'], hides: [TEXT, "payload"] },
  stranger: { status: 202 },
  rows: [
    {
      when: "no idempotency key",
      request: () => ({ method: "POST", path: "/v1/exports/jsonl" }),
      status: 400,
      code: "IDEMPOTENCY_KEY_REQUIRED",
    },
    {
      when: "an unknown format; the error lists the known ones",
      request: () => ({ method: "POST", path: "/v1/exports/xml", headers: freshKey() }),
      ...INVALID,
      shows: ["jsonl", "markdown", "mem0"],
    },
  ],
});

endpointTable("GET /v1/operations/{id}/file", {
  permission: "memory:read",
  async prepare(server: TestServer) {
    await server.add(TEXT);
    const path = "/v1/exports/jsonl";
    const queued = await server.call("POST", path, { headers: freshKey() });
    return await waitForImport(server.call, queued.json.id) as { id: string };
  },
  content: [TEXT],
  request: ({ id }) => ({ method: "GET", path: `/v1/operations/${id}/file` }),
  owner: {
    status: 200,
    headers: { "content-type": "application/octet-stream" },
    shows: ["manifest.json"],
    check: ({ text }) => deepStrictEqual(text.slice(0, 2), "PK"),
  },
  stranger: { status: 404, code: "OPERATION_NOT_FOUND" },
  rows: [{
    when: "an unknown operation",
    request: () => ({ method: "GET", path: "/v1/operations/task_none/file" }),
    status: 404,
    code: "OPERATION_NOT_FOUND",
  }],
});
