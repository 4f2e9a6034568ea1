/**
 * The table of the mem0-compatible API: where each call is served, which permission it needs, and
 * what it's translated to.
 */

import {
  commandEndpoint,
  type Endpoint,
  type Permission,
  queryEndpoint,
} from "../../contract/endpoint.ts";
import { add, addAndWait } from "./add.ts";
import type { CallPart, Mem0Deps } from "./calls.ts";
import * as read from "./read.ts";
import * as write from "./write.ts";

/** Versions of mem0's platform, and its own server, whose paths have no version. */
export const GENERATIONS = ["/v1", "/v2", "/v3", ""] as const;
export type Generation = typeof GENERATIONS[number];

type Method = Endpoint["method"];
type Serve = (deps: Mem0Deps) => CallPart;
export type Row = readonly [Generation, Method, path: string, Permission, Serve];

// deno-lint-ignore no-explicit-any -- erases the types of a call's schemas, as `Endpoint` does
const from = (serve: (deps: Mem0Deps) => any): Serve => serve;

/** Fixed paths are listed before those with parameters that would match them as well. */
export const ROUTES: readonly Row[] = [
  ["/v3", "POST", "/memories/add", "memory:write", from(add)],
  ["/v3", "POST", "/memories/search", "memory:read", from(read.search)],
  ["/v3", "POST", "/memories", "memory:read", from(read.list)],

  ["/v2", "POST", "/memories/search", "memory:read", from(read.search)],
  ["/v2", "POST", "/memories", "memory:read", from(read.list)],
  ["/v2", "DELETE", "/entities/{type}/{id}", "memory:write", from(write.deleteEntity)],

  ["/v1", "POST", "/memories/search", "memory:read", from(read.search)],
  ["/v1", "POST", "/memories", "memory:write", from(add)],
  ["/v1", "GET", "/memories", "memory:read", from(read.listByQuery)],
  ["/v1", "DELETE", "/memories", "memory:write", from(write.deleteAll)],
  ["/v1", "GET", "/memories/{id}/history", "memory:read", from(read.history)],
  ["/v1", "GET", "/memories/{id}", "memory:read", from(read.get)],
  ["/v1", "PUT", "/memories/{id}", "memory:write", from(write.update)],
  ["/v1", "DELETE", "/memories/{id}", "memory:write", from(write.deleteOne)],
  ["/v1", "GET", "/entities", "memory:read", from(read.entities)],
  ["/v1", "DELETE", "/entities/{type}/{id}", "memory:write", from(write.deleteEntity)],
  ["/v1", "PUT", "/batch", "memory:write", from(write.batchUpdate)],
  ["/v1", "DELETE", "/batch", "memory:write", from(write.batchDelete)],
  ["/v1", "POST", "/feedback", "memory:write", from(write.feedback)],
  ["/v1", "GET", "/event/{id}", "operations:read", from(read.event)],
  ["/v1", "GET", "/events", "operations:read", from(read.events)],

  ["", "POST", "/memories", "memory:write", from(addAndWait)],
  ["", "GET", "/memories", "memory:read", from(read.listAll)],
  ["", "DELETE", "/memories", "memory:write", from(write.deleteAll)],
  ["", "POST", "/search", "memory:read", from(read.search)],
  ["", "GET", "/memories/{id}/history", "memory:read", from(read.history)],
  ["", "GET", "/memories/{id}", "memory:read", from(read.get)],
  ["", "PUT", "/memories/{id}", "memory:write", from(write.update)],
  ["", "DELETE", "/memories/{id}", "memory:write", from(write.deleteOne)],
  ["", "GET", "/entities", "memory:read", from(read.entityList)],
  ["", "DELETE", "/entities/{type}/{id}", "memory:write", from(write.deleteEntity)],
];

/** Returns the endpoints of one generation. Their paths begin with `/v1`, like all endpoints. */
export function mem0Endpoints(deps: Mem0Deps, generation: Generation): Endpoint[] {
  return ROUTES.filter(([served]) => served === generation).map(
    ([, method, path, permission, serve]) => {
      const part = serve(deps);
      const described = {
        method,
        path: `/v1${path}`,
        permission,
        operationId: `mem0 ${method} ${generation}${path}`,
        tag: "mem0",
        summary: "",
        success: [],
      };
      return "read" in part
        ? queryEndpoint({ ...described, ...part })
        : commandEndpoint({ ...described, ...part });
    },
  );
}

/** Instead of what, for calls that can't be served. Paths are patterns of the router. */
export const UNSUPPORTED: readonly (readonly [path: string, sentence: string])[] = [
  ["/v1/exports/*", "Exports by schema aren't supported; page through POST /v3/memories/ instead"],
  ["/v1/summary/*", "Summaries aren't supported; GET /v1/profile returns a profile instead"],
  ["/v1/stats/*", "Statistics aren't supported; GET /metrics and the dashboard have counts"],
  [
    "/v1/memories/events/*",
    "A list of all changes isn't supported; GET /v1/memories/ID/history/ lists those of a memory",
  ],
  ["/v1/users/*", createdWithMemories("A user")],
  ["/v1/agents/*", createdWithMemories("An agent")],
  ["/v1/apps/*", createdWithMemories("An app")],
  ["/v1/runs/*", createdWithMemories("A run")],
  ["/v2/entities/user/:id/profile/*", "Profile jobs aren't supported; use GET /v1/profile instead"],
  ["/v2/profiles/*", "Profile jobs aren't supported; GET /v1/profile returns a current profile"],
  ["/api/v1/orgs/*", "Organizations and project settings aren't supported; use the dashboard"],
  [
    "/api/v1/webhooks/*",
    "Webhooks aren't supported here; docs/variants.md describes those of the hosted variant",
  ],
  ["/configure/*", "The engine is configured when the service starts; see docs/inference.md"],
  ["/generate-instructions/*", "Custom instructions aren't supported; see docs/inference.md"],
  ["/reset/*", "Delete each user, agent and run, or the project in the dashboard"],
];

function createdWithMemories(what: string): string {
  return `${what} isn't created; it exists as soon as it has memories`;
}
