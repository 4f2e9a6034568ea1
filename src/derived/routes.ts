/** Endpoints of the derived views. */

import { type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import type { Belief } from "./beliefs/policy.ts";
import type { BeliefView } from "./beliefs/view.ts";
import { profileText, rankSections } from "./profile.ts";
import * as schema from "./schema.ts";
import type { DerivedService } from "./service.ts";

const TAG = "Derived views";

/** Returns the endpoints of the derived views. */
export function derivedRoutes({ derived }: { derived: DerivedService }): Endpoint[] {
  const common = {
    method: "GET" as const,
    tag: TAG,
    permission: "memory:read" as const,
  };
  const built = { errors: ["DERIVATION_DISABLED", "PROJECTION_NOT_BUILT"] as const };
  return [
    queryEndpoint({
      ...common,
      ...built,
      path: "/v1/state",
      operationId: "getState",
      summary: "Get the value of a subject's attribute, now or at an instant",
      query: schema.stateQuery,
      success: [{
        status: 200,
        description: "The value, or null if there is none",
        schema: schema.stateResponse,
      }],
      read: async ({ actor, query }) => ok({ data: await derived.state(actor.project, query) }),
    }),
    queryEndpoint({
      ...common,
      ...built,
      path: "/v1/state/history",
      operationId: "getStateHistory",
      summary: "Get all values of a subject's attribute, oldest first",
      query: schema.stateQuery,
      success: [{ status: 200, description: "The values", schema: schema.stateHistoryResponse }],
      read: async ({ actor, query }) =>
        ok({ data: await derived.stateHistory(actor.project, query) }),
    }),
    queryEndpoint({
      ...common,
      path: "/v1/beliefs",
      operationId: "getBeliefs",
      summary: "Get the beliefs about a subject's attribute, with their evidence",
      query: schema.beliefQuery,
      errors: ["PROJECTION_NOT_BUILT"],
      success: [{ status: 200, description: "The view", schema: schema.beliefResponse }],
      read: async ({ actor, query }) =>
        ok({ data: showBeliefs(await derived.belief(actor.project, query)) }),
    }),
    queryEndpoint({
      ...common,
      ...built,
      path: "/v1/profile",
      operationId: "getProfile",
      summary: "Get the profile of a scope: one text, or sections ranked for a query",
      query: schema.profileQuery,
      success: [{ status: 200, description: "The profile", schema: schema.profileResponse }],
      read: async ({ actor, query: { query, limit, ...scope } }) => {
        const sections = await derived.profile(actor.project, scope);
        const data = query === undefined
          ? profileText(sections)
          : rankSections(sections, query).slice(0, limit);
        return ok({ data });
      },
    }),
  ];
}

/** Returns a belief as shown by the API. Evidence rows don't repeat the value. */
function showBelief(belief: Belief) {
  return { ...belief, evidence: belief.evidence.map(({ value: _, ...row }) => row) };
}

function showBeliefs({ winner, candidates, ...view }: BeliefView) {
  return {
    ...view,
    winner: winner && showBelief(winner),
    candidates: candidates.map(showBelief),
  };
}
