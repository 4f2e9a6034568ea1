/** The memory, search and feedback endpoints. */

import {
  accepted,
  commandEndpoint,
  type Endpoint,
  ok,
  queryEndpoint,
} from "../contract/endpoint.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isBlank } from "../kernel/text.ts";
import type { Store } from "../store/store.ts";
import type { AccessLog } from "./history/access_log.ts";
import type { FeedbackService } from "./history/feedback.ts";
import type { MemoryQueryService } from "./search/query_service.ts";
import * as schema from "./schema.ts";
import { queryBody, queryResponse, searchBody, searchResponse } from "./search/schema.ts";
import type { MemorySearchService } from "./search/service.ts";
import { BY_API, type MemoryService } from "./service.ts";

const TAG = "Memories";

/** Dependencies of the routes. */
export interface MemoryDeps {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly feedback: FeedbackService;
  readonly access: AccessLog;
  readonly memorySearch: MemorySearchService;
  readonly memoryQueries: MemoryQueryService;
}

/** Returns the memory, search and feedback endpoints. */
export function memoryRoutes(deps: MemoryDeps): Endpoint[] {
  return [...collectionRoutes(deps), ...memberRoutes(deps), ...feedbackRoutes(deps)];
}

function collectionRoutes({ memories, memorySearch, memoryQueries }: MemoryDeps): Endpoint[] {
  return [
    commandEndpoint({
      method: "POST",
      path: "/v1/memories",
      operationId: "addMemories",
      tag: TAG,
      summary: "Add memories, verbatim or by inference",
      permission: "memory:write",
      body: schema.addBody,
      maxBodyBytes: LIMITS.addMemoryBodyBytes,
      idempotencyKey: (body) => body.infer,
      success: [
        { status: 200, description: "Stored verbatim", schema: schema.addResponse },
        { status: 202, description: "Queued for inference", schema: schema.addQueuedResponse },
      ],
      change: ({ actor, body }) => async (tx) => {
        if (body.infer) {
          const event_id = await memories.enqueueInference(tx, actor, body);
          return accepted({ message: "Inference is queued", status: "PENDING", event_id });
        }
        const results = await memories.add(tx, actor, verbatim(body));
        return ok({ results });
      },
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/memories",
      operationId: "listMemories",
      tag: TAG,
      summary: "List the memories of a scope, newest first",
      permission: "memory:read",
      query: schema.listQuery,
      success: [{ status: 200, description: "A page of results", schema: schema.memoryPage }],
      read: async ({ actor, query }) => {
        const { limit, cursor, ...scope } = query;
        return ok(await memories.list(actor.project, scope, { limit, cursor }));
      },
    }),
    queryEndpoint({
      method: "POST",
      path: "/v1/memories/search",
      operationId: "searchMemories",
      tag: TAG,
      summary: "Search memories, best first",
      permission: "memory:read",
      body: searchBody,
      success: [{ status: 200, description: "The results", schema: searchResponse }],
      read: async ({ actor, body }) => ok(await memorySearch.search(actor.project, body)),
    }),
    queryEndpoint({
      method: "POST",
      path: "/v1/memories/query",
      operationId: "queryMemories",
      tag: TAG,
      summary: "List the memories that match a filter exactly, in a given order",
      permission: "memory:read",
      body: queryBody,
      success: [{ status: 200, description: "A page of results", schema: queryResponse }],
      read: async ({ actor, body }) => ok(await memoryQueries.query(actor.project, body)),
    }),
    commandEndpoint({
      method: "DELETE",
      path: "/v1/memories",
      operationId: "deleteMemoriesOfScope",
      tag: TAG,
      summary: "Delete all memories of a scope",
      permission: "memory:write",
      query: schema.scopeQuery,
      success: [{ status: 200, description: "Deleted", schema: schema.scopeDeleteResponse }],
      errors: ["ENTITY_REMOVAL_TOO_LARGE"],
      change: ({ actor, query }) => async (tx) => {
        const deleted_memories = await memories.deleteScope(tx, actor, query, "scope_delete");
        const { user_id = null, agent_id = null, run_id = null } = query;
        return ok({ deleted_memories, user_id, agent_id, run_id });
      },
    }),
  ];
}

function memberRoutes({ store, memories, access }: MemoryDeps): Endpoint[] {
  const path = "/v1/memories/{id}";
  const common = { tag: TAG, params: schema.idParams };
  return [
    queryEndpoint({
      method: "GET",
      path,
      operationId: "getMemory",
      ...common,
      summary: "Get a memory",
      permission: "memory:read",
      success: [{ status: 200, description: "The memory", schema: schema.memorySchema }],
      errors: ["MEMORY_NOT_FOUND"],
      read: async ({ actor, params }) => {
        const memory = await store.read((db) => memories.get(db, actor.project, params.id));
        access.record(actor.project, [memory.id]);
        return ok(memory);
      },
    }),
    commandEndpoint({
      method: "PUT",
      path,
      operationId: "updateMemory",
      ...common,
      summary: "Update a memory, optionally only if its version is current",
      permission: "memory:write",
      body: schema.updateBody,
      maxBodyBytes: LIMITS.updateMemoryBodyBytes,
      success: [{ status: 200, description: "Updated", schema: schema.writeResult }],
      errors: ["MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
      change: ({ actor, params, body }) => async (tx) =>
        ok(await memories.update(tx, actor, params.id, body, BY_API)),
    }),
    commandEndpoint({
      method: "DELETE",
      path,
      operationId: "deleteMemory",
      ...common,
      summary: "Delete a memory; its history is kept",
      permission: "memory:write",
      success: [{ status: 200, description: "Deleted", schema: schema.writeResult }],
      errors: ["MEMORY_NOT_FOUND"],
      change: ({ actor, params }) => async (tx) =>
        ok(await memories.delete(tx, actor, params.id, BY_API)),
    }),
    queryEndpoint({
      method: "GET",
      path: `${path}/history`,
      operationId: "getMemoryHistory",
      ...common,
      summary: "Get the history of a memory, oldest first",
      permission: "memory:read",
      query: schema.historyQuery,
      success: [{ status: 200, description: "A page of results", schema: schema.historyPage }],
      errors: ["MEMORY_NOT_FOUND"],
      read: async ({ actor, params, query }) =>
        ok(await memories.history(actor.project, params.id, query)),
    }),
  ];
}

function feedbackRoutes({ store, feedback }: MemoryDeps): Endpoint[] {
  const common = {
    path: "/v1/memories/{id}/feedback",
    tag: "Feedback",
    params: schema.idParams,
    errors: ["MEMORY_NOT_FOUND"] as const,
  };
  return [
    queryEndpoint({
      method: "GET",
      ...common,
      operationId: "getFeedback",
      summary: "Get the current feedback on a memory",
      permission: "memory:read",
      success: [{
        status: 200,
        description: "The feedback, or null if there is none",
        schema: schema.feedbackReadResponse,
      }],
      read: async ({ actor, params }) =>
        ok({ feedback: await store.read((db) => feedback.get(db, actor.project, params.id)) }),
    }),
    commandEndpoint({
      method: "POST",
      ...common,
      operationId: "giveFeedback",
      summary: "Rate a memory",
      permission: "memory:write",
      body: schema.feedbackBody,
      success: [{ status: 200, description: "The feedback", schema: schema.feedbackResponse }],
      change: ({ actor, params, body }) => async (tx) =>
        ok({ feedback: await feedback.set(tx, actor, params.id, body) }),
    }),
    commandEndpoint({
      method: "DELETE",
      ...common,
      operationId: "clearFeedback",
      summary: "Clear the feedback on a memory; its history is kept",
      permission: "memory:write",
      success: [{ status: 200, description: "Cleared", schema: schema.feedbackClearResponse }],
      change: ({ actor, params }) => async (tx) => {
        await feedback.clear(tx, actor, params.id);
        return ok({ cleared: true });
      },
    }),
  ];
}

/**
 * Returns the arguments for a verbatim add, with defaults applied: the content, or the non-blank
 * messages.
 */
function verbatim(body: schema.AddBody) {
  const messages = body.messages ?? [{ content: body.content ?? "", created_at: undefined }];
  const texts = messages.map(({ content, created_at }) => ({
    text: content,
    event_date: created_at ?? body.event_date ?? null,
  }));
  return {
    scope: { user_id: body.user_id, agent_id: body.agent_id, run_id: body.run_id },
    texts: texts.filter(({ text }) => !isBlank(text)),
    metadata: body.metadata,
    memory_type: body.memory_type ?? "fact",
    importance: body.importance ?? 0.5,
  } as const;
}
