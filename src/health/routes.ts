/** Health endpoint. */

import { type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import { healthSchema } from "./schema.ts";
import type { HealthService } from "./service.ts";

/** Returns the health endpoint. */
export function healthRoutes({ health }: { health: HealthService }): Endpoint[] {
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/health",
      operationId: "getHealth",
      tag: "Health",
      summary: "Get the health of the project: engine, queue and projections",
      permission: "operations:read",
      success: [{ status: 200, description: "ok or degraded", schema: healthSchema }],
      read: async ({ actor }) => ok(await health.check(actor.project)),
    }),
  ];
}
