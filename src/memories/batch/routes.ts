/** The batch endpoints. */

import { accepted, commandEndpoint, type Endpoint } from "../../contract/endpoint.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { operationSchema } from "../../operations/schema.ts";
import type { BatchService } from "./service.ts";
import { batchDeleteBody, batchUpdateBody } from "../schema.ts";

/** Returns the batch endpoints. */
export function batchRoutes({ batches }: { readonly batches: BatchService }): Endpoint[] {
  const common = {
    path: "/v1/memories/batch",
    tag: "Memories",
    permission: "memory:write",
    maxBodyBytes: LIMITS.batchBodyBytes,
    idempotencyKey: "required",
    success: [{ status: 202, description: "Queued", schema: operationSchema }],
  } as const;
  return [
    commandEndpoint({
      method: "PUT",
      ...common,
      operationId: "updateMemories",
      summary: "Update up to 1,000 memories, each independently",
      body: batchUpdateBody,
      change: ({ actor, body }) => async (tx) =>
        accepted(await batches.enqueue(tx, actor, "batch_update", body.memories)),
    }),
    commandEndpoint({
      method: "DELETE",
      ...common,
      operationId: "deleteMemories",
      summary: "Delete up to 1,000 memories, each independently",
      body: batchDeleteBody,
      change: ({ actor, body }) => async (tx) =>
        accepted(await batches.enqueue(tx, actor, "batch_delete", body.memories)),
    }),
  ];
}
