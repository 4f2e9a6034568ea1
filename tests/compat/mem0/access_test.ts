/**
 * Tests access to every route of the mem0-compatible API: without a key, with a wrong key, with a
 * key that lacks the permission, with another project's key, and with the right one in each notation.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ROUTES, UNSUPPORTED } from "../../../src/compat/mem0/routes.ts";
import { KEY, type TestServer, withServer } from "../../../testing/harness.ts";
import { addText, checkError, inferAndWait, mem0, mem0Json } from "./mem0.ts";

const TEXT = "Ana restores harpsichords";
const PERMISSIONS = ["memory:read", "memory:write", "operations:read"];

/** Records that the requests name. Each route gets its own, since some delete them. */
interface Records {
  readonly memory: string;
  readonly event: string;
}

/** A request to a route, and what another project gets for it. */
interface Request {
  readonly path?: (records: Records) => string;
  readonly body?: (records: Records) => unknown;
  /** Error code for another project. By default, it gets a response without the records. */
  readonly stranger?: string;
}

const ADD: Request = { body: () => ({ messages: "Tea", user_id: "bo", infer: false }) };
const OF_ANA = () => ({ filters: { user_id: "ana" } });
const SEARCH: Request = { body: () => ({ query: "harpsichords", ...OF_ANA() }) };
const LIST: Request = { body: OF_ANA };
const BY_QUERY: Request = { path: () => "/memories?user_id=ana" };
const MEMORY: Request = { stranger: "MEMORY_NOT_FOUND" };
const UPDATE: Request = { ...MEMORY, body: () => ({ text: "Changed" }) };
const ENTITY: Request = { path: () => "/entities/user/ana" };

/** The request for each route. */
const REQUESTS: Readonly<Record<string, Request>> = {
  "POST /v3/memories/add": ADD,
  "POST /v3/memories/search": SEARCH,
  "POST /v3/memories": LIST,
  "POST /v2/memories/search": SEARCH,
  "POST /v2/memories": LIST,
  "DELETE /v2/entities/{type}/{id}": ENTITY,
  "POST /v1/memories/search": SEARCH,
  "POST /v1/memories": ADD,
  "GET /v1/memories": BY_QUERY,
  "DELETE /v1/memories": BY_QUERY,
  "GET /v1/memories/{id}/history": MEMORY,
  "GET /v1/memories/{id}": MEMORY,
  "PUT /v1/memories/{id}": UPDATE,
  "DELETE /v1/memories/{id}": MEMORY,
  "GET /v1/entities": {},
  "DELETE /v1/entities/{type}/{id}": ENTITY,
  "PUT /v1/batch": {
    ...MEMORY,
    body: ({ memory }) => ({ memories: [{ memory_id: memory, text: "Changed" }] }),
  },
  "DELETE /v1/batch": {
    ...MEMORY,
    body: ({ memory }) => ({ memories: [{ memory_id: memory }] }),
  },
  "POST /v1/feedback": {
    ...MEMORY,
    body: ({ memory }) => ({ memory_id: memory, feedback: "POSITIVE" }),
  },
  "GET /v1/event/{id}": { path: ({ event }) => `/event/${event}`, stranger: "EVENT_NOT_FOUND" },
  "GET /v1/events": {},
  "POST /memories": ADD,
  "GET /memories": BY_QUERY,
  "DELETE /memories": BY_QUERY,
  "POST /search": SEARCH,
  "GET /memories/{id}/history": MEMORY,
  "GET /memories/{id}": MEMORY,
  "PUT /memories/{id}": UPDATE,
  "DELETE /memories/{id}": MEMORY,
  "GET /entities": {},
  "DELETE /entities/{type}/{id}": ENTITY,
};

async function createRecords(server: TestServer): Promise<Records> {
  const memory = await addText(server, TEXT);
  const event = await inferAndWait(server, "I live in Lisbon.", { user_id: "eve" });
  return { memory, event: event.id };
}

Deno.test("every route of the mem0-compatible API has a request in this test", () => {
  const routes = ROUTES.map(([generation, method, path]) => `${method} ${generation}${path}`);
  deepStrictEqual(Object.keys(REQUESTS).sort(), routes.sort());
});

Deno.test("routes under /mem0 check the key, the permission and the project", async (t) => {
  await withServer(async (server) => {
    const stranger = await server.createKey("elsewhere");
    const keys = new Map<string, { sufficient: string; insufficient: string }>();
    for (const permission of PERMISSIONS) {
      const others = PERMISSIONS.filter((other) => other !== permission);
      keys.set(permission, {
        sufficient: await server.createKey("default", permission),
        insufficient: await server.createKey("default", ...others),
      });
    }
    for (const [generation, method, template, permission] of ROUTES) {
      const request = REQUESTS[`${method} ${generation}${template}`]!;
      await t.step(`${method} ${generation}${template}`, async () => {
        const records = await createRecords(server);
        const { sufficient, insufficient } = keys.get(permission)!;
        const own = request.path?.(records) ?? template.replace("{id}", records.memory);
        const path = generation + own;
        const send = (key: string | null, headers = {}) =>
          mem0(server, method, path, { key, headers, body: request.body?.(records) });

        checkError(await send(null), 401, "INVALID_API_KEY");
        checkError(await send("cpl_unknown-key"), 401, "INVALID_API_KEY");
        checkError(
          await send(null, { authorization: `Basic ${KEY}` }),
          401,
          "INVALID_API_KEY",
        );
        const denied = await send(insufficient);
        checkError(denied, 403, "PERMISSION_DENIED");
        deepStrictEqual(denied.json.details, { required: permission });

        const foreign = await send(stranger);
        if (request.stranger !== undefined) checkError(foreign, 404, request.stranger);
        else strictEqual(foreign.status, 200, foreign.text);
        ok(!foreign.text.includes(TEXT) && !foreign.text.includes(`"ana"`), foreign.text);

        const reply = await send(null, { "x-api-key": sufficient });
        strictEqual(reply.status, 200, reply.text);
        strictEqual(method === "DELETE" || reply.text.length > 2, true);
      });
    }
  });
});

Deno.test("paths under /mem0 work with and without a slash, in each notation of the key", async () => {
  await withServer(async (server) => {
    await addText(server, TEXT);
    for (const path of ["/v1/entities", "/v1/entities/", "/entities", "/entities/"]) {
      for (
        const headers of [
          { authorization: `Token ${KEY}` },
          { authorization: `token  ${KEY}` },
          { authorization: `Bearer ${KEY}` },
          { "x-api-key": KEY },
        ]
      ) {
        const reply = await mem0(server, "GET", path, { key: null, headers });
        strictEqual(reply.status, 200, reply.text);
        ok(reply.text.includes("ana"));
      }
    }
    // An invalid Authorization isn't rescued by another header.
    const headers = { authorization: "Token cpl_unknown-key", "x-api-key": KEY };
    const refused = await mem0(server, "GET", "/v1/entities", { key: null, headers });
    checkError(refused, 401, "INVALID_API_KEY");
  });
});

Deno.test("GET /mem0/v1/ping/ names the project and needs no permission", async () => {
  await withServer(async (server) => {
    const [project] = await server.manage("projects", "list");
    const key = await server.createKey("default", "operations:read");
    for (const path of ["/v1/ping", "/v1/ping/"]) {
      deepStrictEqual(await mem0Json(server, "GET", path, { key }), {
        status: "ok",
        org_id: "commonplace",
        project_id: project.id,
        user_email: null,
      });
    }
    checkError(await mem0(server, "GET", "/v1/ping/", { key: null }), 401, "INVALID_API_KEY");
    checkError(await mem0(server, "POST", "/v1/ping/"), 405, "METHOD_NOT_ALLOWED");
  });
});

Deno.test("calls that the mem0-compatible API doesn't serve return 501 with a sentence", async () => {
  await withServer(async (server) => {
    for (const [pattern, sentence] of UNSUPPORTED) {
      const path = pattern.replace("/*", "/").replace(":id", "ana");
      for (const method of ["GET", "POST", "PATCH"]) {
        const reply = await mem0(server, method, path, method === "GET" ? {} : { body: {} });
        checkError(reply, 501, "NOT_SUPPORTED");
        strictEqual(reply.json.detail, sentence);
      }
      checkError(await mem0(server, "GET", path, { key: null }), 401, "INVALID_API_KEY");
    }
    checkError(await mem0(server, "GET", "/v9/nowhere"), 404, "NOT_FOUND");
    checkError(await mem0(server, "PATCH", "/v1/memories/"), 405, "METHOD_NOT_ALLOWED");
  });
});
