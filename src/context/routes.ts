/** The endpoint of the context for a prompt. */

import { type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import { contextBody, contextResponse } from "./schema.ts";
import type { ContextService } from "./service.ts";

/** Returns the endpoint of the context for a prompt. */
export function contextRoutes({ context }: { readonly context: ContextService }): Endpoint[] {
  return [
    queryEndpoint({
      method: "POST",
      path: "/v1/context",
      operationId: "getContext",
      tag: "Context",
      summary: "Get what is relevant to a query as one text for a prompt, within a budget",
      permission: "memory:read",
      body: contextBody,
      success: [{ status: 200, description: "The context", schema: contextResponse }],
      read: async ({ actor, body }) => ok(await context.build(actor.project, body)),
    }),
  ];
}
