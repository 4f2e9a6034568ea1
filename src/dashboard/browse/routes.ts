/** Dashboard-only endpoints. Everything else it calls is part of the API. */

import { commandEndpoint, type Endpoint, ok, queryEndpoint } from "../../contract/endpoint.ts";
import { writeResult } from "../../memories/schema.ts";
import type { MemoryService } from "../../memories/service.ts";
import { operationQuery, toTaskFilter } from "../../operations/schema.ts";
import type { BrowseService } from "./service.ts";
import * as schema from "./schema.ts";

const TAG = "Browse";

/** Services called by these routes. */
export interface BrowseDeps {
  readonly browse: BrowseService;
  readonly memories: MemoryService;
}

/** Returns the endpoints, with paths relative to the dashboard's project prefix. */
export function browseRoutes({ browse, memories }: BrowseDeps): Endpoint[] {
  const common = { tag: TAG, permission: "memory:read" } as const;
  const byId = { params: schema.idParams, errors: ["MEMORY_NOT_FOUND"] as const };
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/memories",
      operationId: "browseMemories",
      ...common,
      summary: "List memories of the project, by scope, type and validity, newest first",
      query: schema.memoriesQuery,
      success: [{ status: 200, description: "A page, possibly short" }],
      read: async ({ actor, query }) => ok(await browse.memories(actor.project, query)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/memories/{id}/links",
      operationId: "linksOfMemory",
      ...common,
      ...byId,
      summary: "Get where a memory comes from, and what depends on it",
      success: [{ status: 200, description: "The links", schema: schema.linksResponse }],
      read: async ({ actor, params }) => ok(await browse.links(actor.project, params.id)),
    }),
    commandEndpoint({
      method: "POST",
      path: "/v1/browse/memories/{id}/end",
      operationId: "endMemory",
      ...common,
      ...byId,
      permission: "memory:write",
      summary: "End a memory's validity, now by default",
      body: schema.endBody,
      success: [{ status: 200, description: "Ended", schema: writeResult }],
      change: ({ actor, params, body }) => async (tx) =>
        ok(await memories.end(tx, actor, params.id, body.valid_to)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/slots",
      operationId: "slotsOfScope",
      ...common,
      summary: "List the subjects and attributes that memories of a scope make claims about",
      query: schema.slotsQuery,
      success: [{ status: 200, description: "The slots", schema: schema.slotsResponse }],
      read: async ({ actor, query }) => ok({ results: await browse.slots(actor.project, query) }),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/documents/{id}/versions",
      operationId: "versionsOfDocument",
      ...common,
      summary: "List every version of a source, newest first",
      params: schema.idParams,
      query: schema.pageQuery,
      errors: ["DOCUMENT_NOT_FOUND"],
      success: [{ status: 200, description: "A page", schema: schema.versionsPage }],
      read: async ({ actor, params, query }) =>
        ok(await browse.versions(actor.project, params.id, query)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/uploads",
      operationId: "browseUploads",
      ...common,
      summary: "List uploads in any state, newest first",
      query: schema.pageQuery,
      success: [{ status: 200, description: "A page", schema: schema.uploadsPage }],
      read: async ({ actor, query }) => ok(await browse.uploads(actor.project, query)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/operations",
      operationId: "browseOperations",
      ...common,
      summary: "List operations with their uploads, newest first",
      query: operationQuery,
      success: [{ status: 200, description: "A page", schema: schema.operationsPage }],
      read: async ({ actor, query }) => {
        const [filter, page] = toTaskFilter(query);
        return ok(await browse.operations(actor.project, filter, page));
      },
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/operations/{id}",
      operationId: "browseOperation",
      ...common,
      summary: "Get an operation with its upload, and without exported records",
      params: schema.idParams,
      errors: ["OPERATION_NOT_FOUND"],
      success: [{
        status: 200,
        description: "The operation",
        schema: schema.browsedOperation,
      }],
      read: async ({ actor, params }) => ok(await browse.operation(actor.project, params.id)),
    }),
  ];
}
