/** Tests the scope entity endpoints: list, get, delete. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable } from "./table.ts";

const NOT_FOUND = { status: 404, code: "SCOPE_ENTITY_NOT_FOUND" };
const INVALID = { status: 400, code: "INVALID_REQUEST" };

async function addOwners(server: TestServer): Promise<Record<never, never>> {
  await server.add("Ana plays the oboe", { user_id: "ana", run_id: "rehearsal" });
  await server.add("Ana plays in Lyon", { user_id: "ana" });
  return {};
}

endpointTable("GET /v1/entities", {
  permission: "memory:read",
  prepare: addOwners,
  content: ['"ana"', '"rehearsal"'],
  request: () => ({ method: "GET", path: "/v1/entities" }),
  owner: {
    status: 200,
    hides: ["oboe", '"type":"project"'],
    check: ({ json }) =>
      deepStrictEqual(
        json.results.map(({ type, id, total_memories }: Record<string, unknown>) => [
          type,
          id,
          total_memories,
        ]).sort(),
        [["run", "rehearsal", 1], ["user", "ana", 2]],
      ),
  },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "of one type",
      request: () => ({ method: "GET", path: "/v1/entities?type=run" }),
      status: 200,
      shows: ["rehearsal"],
      hides: ['"ana"'],
    },
    ...["project", "app", ""].map((type) => ({
      when: `of type ${JSON.stringify(type)}`,
      request: () => ({ method: "GET", path: `/v1/entities?type=${type}` }),
      ...INVALID,
    })),
    {
      when: "limit 101",
      request: () => ({ method: "GET", path: "/v1/entities?limit=101" }),
      ...INVALID,
    },
  ],
});

endpointTable("GET /v1/entities/{type}/{id}", {
  permission: "memory:read",
  prepare: addOwners,
  content: ['"total_memories"'],
  request: () => ({ method: "GET", path: "/v1/entities/user/ana" }),
  owner: {
    status: 200,
    check: ({ json }) => {
      const { created_at, updated_at, ...rest } = json;
      deepStrictEqual(rest, { id: "ana", type: "user", total_memories: 2 });
      strictEqual(created_at <= updated_at, true);
    },
  },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "white space around the id",
      request: () => ({ method: "GET", path: "/v1/entities/user/%20ana%09" }),
      status: 200,
      shows: ['"id":"ana"'],
    },
    {
      when: "the id of a different type",
      request: () => ({ method: "GET", path: "/v1/entities/agent/ana" }),
      ...NOT_FOUND,
    },
    {
      when: "an unknown type",
      request: () => ({ method: "GET", path: "/v1/entities/app/ana" }),
      ...INVALID,
    },
    {
      when: "the internal type of the project total",
      request: () => ({ method: "GET", path: "/v1/entities/project/x" }),
      ...INVALID,
    },
    {
      when: "an id that is only white space",
      request: () => ({ method: "GET", path: "/v1/entities/user/%20" }),
      ...INVALID,
    },
  ],
});

const deletion = (key: string | null, path = "/v1/entities/user/ana") => () => ({
  method: "DELETE",
  path,
  headers: key === null ? {} : { "idempotency-key": key },
});

endpointTable("DELETE /v1/entities/{type}/{id}", {
  permission: "memory:write",
  prepare: addOwners,
  request: deletion("first"),
  owner: {
    status: 200,
    check: ({ json }) => deepStrictEqual(json, { id: "ana", type: "user", deleted_memories: 2 }),
  },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "the same key again returns the first response",
      request: deletion("first"),
      status: 200,
      shows: ['"deleted_memories":2'],
      headers: { "idempotency-replayed": "true" },
    },
    { when: "a new key", request: deletion("second"), ...NOT_FOUND },
    {
      when: "no Idempotency-Key, even for a deleted scope",
      request: deletion(null),
      status: 400,
      code: "IDEMPOTENCY_KEY_REQUIRED",
    },
    {
      when: "an unknown type",
      request: deletion("third", "/v1/entities/app/ana"),
      ...INVALID,
    },
  ],
});
