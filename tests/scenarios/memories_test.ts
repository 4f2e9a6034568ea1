/** Tests the memory endpoints: add, list, get, update, delete, history. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable, type Expected } from "./table.ts";

const TEXT = "Ana keeps bees on the roof";
const UNKNOWN = "mem_00000000000000000000000000";
const NOT_FOUND = { status: 404, code: "MEMORY_NOT_FOUND" };
const INVALID = { status: 400, code: "INVALID_REQUEST" };

/** Internal column names, which must never show up in responses. */
const INTERNAL = ['"seq"', '"project', '"thread"', '"position"', '"terms"'];

async function oneMemory(server: TestServer): Promise<{ id: string }> {
  return { id: await server.add(TEXT, { user_id: "ana", metadata: { hive: 3 } }) };
}

/** Expects INVALID_REQUEST with a single issue, for the given path. */
function invalid(path: string): Expected {
  return {
    ...INVALID,
    check: ({ json }) =>
      deepStrictEqual(json.details.issues.map((issue: { path: string }) => issue.path), [path]),
  };
}

const addition = (body: unknown, headers = {}) => () => ({
  method: "POST",
  path: "/v1/memories",
  body,
  headers,
});

endpointTable("POST /v1/memories", {
  permission: "memory:write",
  prepare: () => Promise.resolve({}),
  request: addition({ content: TEXT, user_id: "ana", infer: false }),
  owner: { status: 200, shows: [TEXT, '"event":"ADD"'], hides: INTERNAL },
  stranger: { status: 200, hides: [] },
  rows: [
    {
      when: "inference with an Idempotency-Key is queued",
      request: addition({ content: TEXT, user_id: "ana" }, { "idempotency-key": "one" }),
      status: 202,
      shows: ['"status":"PENDING"', '"event_id":"task_'],
      hides: [TEXT],
    },
    {
      when: "inference without an Idempotency-Key",
      request: addition({ content: TEXT, user_id: "ana" }),
      status: 400,
      code: "IDEMPOTENCY_KEY_REQUIRED",
    },
    { when: "no scope", request: addition({ content: TEXT, infer: false }), ...invalid("user_id") },
    {
      when: "neither content nor messages",
      request: addition({ user_id: "ana", infer: false }),
      ...invalid("content"),
    },
    {
      when: "both content and messages",
      request: addition({
        content: TEXT,
        messages: [{ role: "user", content: TEXT }],
        user_id: "ana",
        infer: false,
      }),
      ...invalid("content"),
    },
    {
      when: "a field of the wrong type",
      request: addition({ content: 7, user_id: "ana", infer: false }),
      ...invalid("content"),
    },
    {
      when: "an unknown role",
      request: addition({
        messages: [{ role: "robot", content: TEXT }],
        user_id: "ana",
        infer: false,
      }),
      ...invalid("messages.0.role"),
    },
    {
      when: "a message part that is not text",
      request: addition({
        messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }],
        user_id: "ana",
        infer: false,
      }),
      ...INVALID,
    },
    { when: "a list as the body", request: addition([1, 2]), ...INVALID },
    {
      when: "an unknown field is ignored",
      request: addition({ content: "Bo", user_id: "ana", infer: false, colour: "red" }),
      status: 200,
      hides: ["colour"],
    },
  ],
});

endpointTable("GET /v1/memories", {
  permission: "memory:read",
  prepare: oneMemory,
  content: [TEXT],
  request: () => ({ method: "GET", path: "/v1/memories?user_id=ana" }),
  owner: { status: 200, shows: [TEXT, '"next_cursor":null'], hides: INTERNAL },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "no scope",
      request: () => ({ method: "GET", path: "/v1/memories" }),
      ...invalid("user_id"),
    },
    ...["0", "101", "1.5", "-1", "", "ten"].map((limit) => ({
      when: `limit ${JSON.stringify(limit)}`,
      request: () => ({ method: "GET", path: `/v1/memories?user_id=ana&limit=${limit}` }),
      ...invalid("limit"),
    })),
    {
      when: "the largest page, and an unknown parameter",
      request: () => ({ method: "GET", path: "/v1/memories?user_id=ana&limit=100&sort=up" }),
      status: 200,
      shows: [TEXT],
    },
    {
      when: "an additional scope without memories",
      request: () => ({ method: "GET", path: "/v1/memories?user_id=ana&run_id=r1" }),
      status: 200,
      hides: [TEXT],
    },
  ],
});

endpointTable("GET /v1/memories/{id}", {
  permission: "memory:read",
  prepare: oneMemory,
  content: [TEXT],
  request: ({ id }) => ({ method: "GET", path: `/v1/memories/${id}` }),
  owner: { status: 200, shows: [TEXT, '"metadata":{"hive":3}'], hides: INTERNAL },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "an unknown id",
      request: () => ({ method: "GET", path: `/v1/memories/${UNKNOWN}` }),
      ...NOT_FOUND,
    },
    {
      when: "a blank id",
      request: () => ({ method: "GET", path: "/v1/memories/%20" }),
      ...NOT_FOUND,
    },
  ],
});

endpointTable("PUT /v1/memories/{id}", {
  permission: "memory:write",
  prepare: oneMemory,
  content: [TEXT],
  request: ({ id }) => ({
    method: "PUT",
    path: `/v1/memories/${id}`,
    body: { content: "Ana sold the bees" },
  }),
  owner: { status: 200, shows: ["Ana sold the bees", '"event":"UPDATE"'], hides: INTERNAL },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "no field to change",
      request: ({ id }) => ({ method: "PUT", path: `/v1/memories/${id}`, body: {} }),
      ...invalid("content"),
    },
    {
      when: "only a version",
      request: ({ id }) => ({
        method: "PUT",
        path: `/v1/memories/${id}`,
        body: { version: "2026-01-01" },
      }),
      ...invalid("content"),
    },
    {
      when: "a version that is not a timestamp",
      request: ({ id }) => ({
        method: "PUT",
        path: `/v1/memories/${id}`,
        body: { content: "x", version: "latest" },
      }),
      ...invalid("version"),
    },
    {
      when: "a stale version",
      request: ({ id }) => ({
        method: "PUT",
        path: `/v1/memories/${id}`,
        body: { content: "x", version: "2020-01-01" },
      }),
      status: 409,
      code: "VERSION_CONFLICT",
    },
    {
      when: "importance out of range, and an unknown type",
      request: ({ id }) => ({
        method: "PUT",
        path: `/v1/memories/${id}`,
        body: { importance: 1.01, memory_type: "rumour" },
      }),
      ...INVALID,
      check: ({ json }) => strictEqual(json.details.issues.length, 2),
    },
    {
      when: "an unknown memory with a stale version returns 404",
      request: () => ({
        method: "PUT",
        path: `/v1/memories/${UNKNOWN}`,
        body: { content: "x", version: "2020-01-01" },
      }),
      ...NOT_FOUND,
    },
  ],
});

endpointTable("DELETE /v1/memories/{id}", {
  permission: "memory:write",
  prepare: oneMemory,
  content: [TEXT],
  request: ({ id }) => ({ method: "DELETE", path: `/v1/memories/${id}` }),
  owner: { status: 200, shows: [TEXT, '"event":"DELETE"'] },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "a second time",
      request: ({ id }) => ({ method: "DELETE", path: `/v1/memories/${id}` }),
      ...NOT_FOUND,
    },
  ],
});

endpointTable("DELETE /v1/memories", {
  permission: "memory:write",
  prepare: oneMemory,
  content: [TEXT],
  request: () => ({ method: "DELETE", path: "/v1/memories?user_id=ana" }),
  owner: {
    status: 200,
    check: ({ json }) =>
      deepStrictEqual(json, {
        deleted_memories: 1,
        user_id: "ana",
        agent_id: null,
        run_id: null,
      }),
  },
  stranger: { status: 200, shows: ['"deleted_memories":0'] },
  rows: [
    {
      when: "no scope deletes nothing",
      request: () => ({ method: "DELETE", path: "/v1/memories" }),
      ...invalid("user_id"),
    },
    {
      when: "an empty scope",
      request: () => ({ method: "DELETE", path: "/v1/memories?user_id=" }),
      ...invalid("user_id"),
    },
  ],
});

endpointTable("GET /v1/memories/{id}/history", {
  permission: "memory:read",
  prepare: oneMemory,
  content: [TEXT],
  request: ({ id }) => ({ method: "GET", path: `/v1/memories/${id}/history` }),
  owner: { status: 200, shows: [TEXT, '"event":"ADD"', '"kind":"api"'], hides: ['"seq"'] },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "an id that never existed",
      request: () => ({ method: "GET", path: `/v1/memories/${UNKNOWN}/history` }),
      ...NOT_FOUND,
    },
    {
      when: "limit 0",
      request: ({ id }) => ({ method: "GET", path: `/v1/memories/${id}/history?limit=0` }),
      ...invalid("limit"),
    },
  ],
});
