/** Endpoints of inference events. */

import { type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import * as schema from "./schema.ts";
import type { EventService } from "./service.ts";

const TAG = "Events";

/** Returns the endpoints of inference events. */
export function eventRoutes({ events }: { events: EventService }): Endpoint[] {
  return [
    queryEndpoint({
      method: "GET",
      path: "/v1/events",
      operationId: "listEvents",
      tag: TAG,
      summary: "List inference events, newest first",
      permission: "operations:read",
      query: schema.eventQuery,
      success: [{ status: 200, description: "A page", schema: schema.eventPage }],
      read: async ({ actor, query: { status, ...page } }) =>
        ok(await events.list(actor.project, status, page)),
    }),
    queryEndpoint({
      method: "GET",
      path: "/v1/events/{id}",
      operationId: "getEvent",
      tag: TAG,
      summary: "Get one inference event",
      permission: "operations:read",
      params: schema.eventParams,
      success: [{ status: 200, description: "The event", schema: schema.eventSchema }],
      errors: ["EVENT_NOT_FOUND"],
      read: async ({ actor, params }) => ok(await events.get(actor.project, params.id)),
    }),
  ];
}
