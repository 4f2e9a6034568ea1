/** The document endpoints. */

import { commandEndpoint, type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import { LIMITS } from "../kernel/limits.ts";
import { ingestBodyOf } from "./ingest_form.ts";
import * as schema from "./schema.ts";
import type { DocumentSearchService } from "./search_service.ts";
import { type DocumentService, newDocument } from "./service.ts";

const TAG = "Documents";

/** Services called by the routes. */
export interface DocumentDeps {
  readonly documents: DocumentService;
  readonly documentSearch: DocumentSearchService;
}

export function documentRoutes(deps: DocumentDeps): Endpoint[] {
  return [...collectionRoutes(deps), ...memberRoutes(deps)];
}

function collectionRoutes({ documents, documentSearch }: DocumentDeps): Endpoint[] {
  return [
    commandEndpoint({
      method: "POST",
      path: "/v1/documents",
      operationId: "ingestDocument",
      tag: TAG,
      summary: "Store a text document as a new version, unless nothing changed",
      permission: "memory:write",
      body: schema.ingestBody,
      maxBodyBytes: LIMITS.documentBodyBytes,
      bodyTooLargeCode: "DOCUMENT_TOO_LARGE",
      multipart: {
        schema: schema.ingestForm,
        maxPartBytes: LIMITS.documentBytes,
        maxBodyBytes: LIMITS.documentFormBytes,
        toBody: ingestBodyOf,
      },
      success: [{
        status: 200,
        description: "Stored, or unchanged",
        schema: schema.ingestResponse,
      }],
      errors: [
        "DOCUMENT_FILE_REQUIRED",
        "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
        "INVALID_DOCUMENT_METADATA",
      ],
      change: async ({ actor, body }) => {
        const document = await documents.prepare(actor.project, newDocument(body));
        return {
          write: async (tx) => ok(await documents.ingest(tx, actor, document)),
          dispose: () => {
            documents.dispose(document);
            // Don't wait for the replaced version to be collected: search already knows the head.
            // If collection fails, the server's periodic run tries again and logs the error.
            void documents.collectGarbage().catch(() => undefined);
          },
        };
      },
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/documents",
      operationId: "listDocuments",
      tag: TAG,
      summary: "List the current versions of sources, newest first",
      permission: "memory:read",
      query: schema.listQuery,
      success: [{ status: 200, description: "A page", schema: schema.documentPage }],
      read: async ({ actor, query }) => {
        if (query.filters !== undefined) return ok(await documentSearch.list(actor.project, query));
        const { limit, cursor, filters: _, ...filter } = query;
        return ok(await documents.list(actor.project, filter, { limit, cursor }));
      },
    }),
    queryEndpoint({
      method: "POST",
      path: "/v1/documents/search",
      operationId: "searchDocuments",
      tag: TAG,
      summary: "Search passages of current versions, best first, with neighboring chunks",
      permission: "memory:read",
      body: schema.searchBody,
      success: [{ status: 200, description: "Matching passages", schema: schema.searchResponse }],
      read: async ({ actor, body }) =>
        ok({ results: await documentSearch.search(actor.project, body) }),
    }),
  ];
}

function memberRoutes({ documents }: DocumentDeps): Endpoint[] {
  const path = "/v1/documents/{id}";
  const found = { tag: TAG, params: schema.idParams, errors: ["DOCUMENT_NOT_FOUND"] as const };
  return [
    queryEndpoint({
      method: "GET",
      path,
      operationId: "getDocument",
      ...found,
      summary: "Get one version, without its content",
      permission: "memory:read",
      success: [{ status: 200, description: "The version", schema: schema.documentSchema }],
      read: async ({ actor, params }) => ok(await documents.get(actor.project, params.id)),
    }),
    queryEndpoint({
      method: "GET",
      path: `${path}/content`,
      operationId: "getDocumentContent",
      ...found,
      summary: "Get the exact content of one version",
      permission: "memory:read",
      success: [{ status: 200, description: "The content", schema: schema.contentResponse }],
      read: async ({ actor, params }) => ok(await documents.content(actor.project, params.id)),
    }),
    queryEndpoint({
      method: "GET",
      path: `${path}/chunks`,
      operationId: "listDocumentChunks",
      ...found,
      summary: "List the chunks of one version, in order",
      permission: "memory:read",
      query: schema.chunksQuery,
      success: [{ status: 200, description: "A page", schema: schema.chunkPage }],
      read: async ({ actor, params, query }) =>
        ok(await documents.chunks(actor.project, params.id, query)),
    }),
    commandEndpoint({
      method: "DELETE",
      path,
      operationId: "deleteDocument",
      ...found,
      summary: "Delete a source permanently, with all versions and chunks",
      permission: "memory:write",
      success: [{ status: 200, description: "Deleted", schema: schema.deleteResponse }],
      change: ({ actor, params }) => async (tx) => ok(await documents.delete(tx, actor, params.id)),
      afterCommit: () => documents.collectDeleted(),
    }),
  ];
}
