/** Endpoints of scope entities. */

import { commandEndpoint, type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import type { Store } from "../store/store.ts";
import * as schema from "./schema.ts";
import type { EntityService } from "./service.ts";

const TAG = "Entities";

/** Returns the endpoints of scope entities. */
export function entityRoutes(deps: { store: Store; entities: EntityService }): Endpoint[] {
  const { store, entities } = deps;
  const member = { path: "/v1/entities/{type}/{id}", tag: TAG, params: schema.entityParams };
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/entities",
      operationId: "listEntities",
      tag: TAG,
      summary: "List the users, agents and runs that own memories, newest first",
      permission: "memory:read",
      query: schema.entityQuery,
      success: [{ status: 200, description: "A page", schema: schema.entityPage }],
      read: async ({ actor, query: { type, ...page } }) =>
        ok(await entities.list(actor.project, type, page)),
    }),
    queryEndpoint({
      method: "GET",
      ...member,
      operationId: "getEntity",
      summary: "Get one scope entity",
      permission: "memory:read",
      success: [{ status: 200, description: "The entity", schema: schema.entitySchema }],
      errors: ["SCOPE_ENTITY_NOT_FOUND"],
      read: async ({ actor, params: { type, id } }) =>
        ok(await store.read((db) => entities.get(db, actor.project, type, id))),
    }),
    commandEndpoint({
      method: "DELETE",
      ...member,
      operationId: "deleteEntity",
      summary: "Remove every memory of one scope",
      permission: "memory:write",
      idempotencyKey: "required",
      success: [{ status: 200, description: "Removed", schema: schema.entityRemoved }],
      errors: ["SCOPE_ENTITY_NOT_FOUND", "ENTITY_REMOVAL_TOO_LARGE"],
      change: ({ actor, params: { type, id } }) => async (tx) =>
        ok({ id, type, deleted_memories: await entities.remove(tx, actor, type, id) }),
    }),
  ];
}
