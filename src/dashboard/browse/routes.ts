/** The endpoints that only the dashboard has; everything else it asks is the API's own. */

import { commandEndpoint, type Endpoint, ok, queryEndpoint } from "../../contract/endpoint.ts";
import { writeResult } from "../../memories/schema.ts";
import type { MemoryService } from "../../memories/service.ts";
import type { BrowseService } from "./service.ts";
import * as schema from "./schema.ts";

const TAG = "Browse";

/** What the routes call. */
export interface BrowseDeps {
  readonly browse: BrowseService;
  readonly memories: MemoryService;
}

/** Paths are relative to a project's place under the dashboard's API. */
export function browseRoutes({ browse, memories }: BrowseDeps): Endpoint[] {
  const asked = { tag: TAG, permission: "memory:read" } as const;
  const member = { params: schema.idParams, errors: ["MEMORY_NOT_FOUND"] as const };
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/memories",
      operationId: "browseMemories",
      ...asked,
      summary: "List memories of the project, by scope, type and validity, newest first",
      query: schema.memoriesQuery,
      success: [{ status: 200, description: "A page, possibly short" }],
      read: async ({ actor, query }) => ok(await browse.memories(actor.project, query)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/memories/{id}/links",
      operationId: "linksOfMemory",
      ...asked,
      ...member,
      summary: "What a memory came from, and what rests on it",
      success: [{ status: 200, description: "The links", schema: schema.linksResponse }],
      read: async ({ actor, params }) => ok(await browse.links(actor.project, params.id)),
    }),
    commandEndpoint({
      method: "POST",
      path: "/v1/browse/memories/{id}/end",
      operationId: "endMemory",
      ...asked,
      ...member,
      permission: "memory:write",
      summary: "End a memory's validity, now unless said",
      body: schema.endBody,
      success: [{ status: 200, description: "Ended", schema: writeResult }],
      change: ({ actor, params, body }) => async (tx) =>
        ok(await memories.end(tx, actor, params.id, body.valid_to)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/slots",
      operationId: "slotsOfScope",
      ...asked,
      summary: "Subjects and attributes that memories of a scope speak of",
      query: schema.slotsQuery,
      success: [{ status: 200, description: "The slots", schema: schema.slotsResponse }],
      read: async ({ actor, query }) => ok({ results: await browse.slots(actor.project, query) }),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/browse/documents/{id}/versions",
      operationId: "versionsOfDocument",
      ...asked,
      summary: "Every version of a source, newest first",
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
      ...asked,
      summary: "Uploads in any state, newest first",
      query: schema.pageQuery,
      success: [{ status: 200, description: "A page", schema: schema.uploadsPage }],
      read: async ({ actor, query }) => ok(await browse.uploads(actor.project, query)),
    }),
  ];
}
