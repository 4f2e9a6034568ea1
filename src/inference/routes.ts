/** Endpoints that show what inference reads, and what it couldn't read. */

import { type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import { explanationSchema } from "./explanation_schema.ts";
import * as schema from "./schema.ts";
import type { InferenceService } from "./service.ts";

const TAG = "Inference";

/** Returns the inference endpoints. */
export function inferenceRoutes({ inference }: { inference: InferenceService }): Endpoint[] {
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/inference/unread",
      operationId: "listUnreadTexts",
      tag: TAG,
      summary: "List texts that inference couldn't read, without their content",
      permission: "operations:read",
      query: schema.unreadQuery,
      success: [{ status: 200, description: "A page", schema: schema.unreadPage }],
      read: async ({ actor, query }) => ok(await inference.unread(actor.project, query)),
    }),
    queryEndpoint({
      method: "POST",
      path: "/v1/inference/explain",
      operationId: "explainInference",
      tag: TAG,
      summary: "Show what the builtin engine would store of a text, and why",
      permission: "memory:read",
      body: schema.explainBody,
      success: [{ status: 200, description: "Sentence by sentence", schema: explanationSchema }],
      read: async ({ body }) => ok(await inference.explain(body.text)),
    }),
  ];
}
