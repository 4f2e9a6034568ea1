/** Endpoints of operations. */

import {
  accepted,
  commandEndpoint,
  type Endpoint,
  ok,
  queryEndpoint,
} from "../contract/endpoint.ts";
import * as schema from "./schema.ts";
import type { OperationService } from "./service.ts";

const TAG = "Operations";

/** Returns the endpoints of operations. */
export function operationRoutes({ operations }: { operations: OperationService }): Endpoint[] {
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/operations",
      operationId: "listOperations",
      tag: TAG,
      summary: "List durable operations, newest first",
      permission: "operations:read",
      query: schema.operationQuery,
      success: [{ status: 200, description: "A page", schema: schema.operationPage }],
      read: async ({ actor, query }) => {
        const [filter, page] = schema.toTaskFilter(query);
        return ok(await operations.list(actor.project, filter, page));
      },
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/operations/{id}",
      operationId: "getOperation",
      tag: TAG,
      summary: "Get one operation",
      permission: "operations:read",
      params: schema.operationParams,
      success: [{ status: 200, description: "The operation", schema: schema.operationSchema }],
      errors: ["OPERATION_NOT_FOUND"],
      read: ({ actor, params }) => operations.getResponse(actor.project, params.id),
    }),
    commandEndpoint({
      method: "POST",
      path: "/v1/operations/{id}/retry",
      operationId: "retryOperation",
      tag: TAG,
      summary: "Retry an operation that waits for its next attempt or is dead",
      permission: "memory:write",
      params: schema.operationParams,
      success: [{ status: 202, description: "Queued", schema: schema.operationSchema }],
      errors: ["OPERATION_NOT_RETRYABLE"],
      change: ({ actor, params }) => async (tx) =>
        accepted(await operations.retry(tx, actor.project, params.id)),
    }),
  ];
}
