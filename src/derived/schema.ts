/** Request and response schemas for the derived views. */

import { z } from "zod";
import { APPLICABILITY_KINDS } from "./beliefs/evidence.ts";
import {
  hasScope,
  nonBlankText,
  queryInteger,
  SCOPE_REQUIRED,
  scopeFields,
  timestampField,
  timestampOutput,
} from "../contract/fields.ts";
import { LIMITS } from "../kernel/limits.ts";

/** Maximum length of a subject, attribute or applicability key, in characters. */
const MAX_SLOT_CHARACTERS = 256;

const INSTANT_DESCRIPTION = "Instant to evaluate: a calendar date, or an ISO 8601 date-time " +
  "(UTC unless it has an offset). Defaults to now";

const applicabilityKind = z.enum(APPLICABILITY_KINDS).meta({ id: "ApplicabilityKind" });

const slotFields = {
  ...scopeFields,
  subject: nonBlankText(MAX_SLOT_CHARACTERS)
    .describe("The person or thing, for example `user` or `klara`"),
  attribute: nonBlankText(MAX_SLOT_CHARACTERS).describe("The attribute, for example `lives_in`"),
};

export const stateQuery = z.object({
  ...slotFields,
  as_of: timestampField.optional().describe(INSTANT_DESCRIPTION),
})
  .refine(hasScope, SCOPE_REQUIRED);

export type StateQuery = z.output<typeof stateQuery>;

export const stateRecord = z.object({
  id: z.string(),
  subject: z.string(),
  attribute: z.string(),
  value: z.string(),
  valid_from: timestampOutput.nullable(),
  valid_to: timestampOutput.nullable(),
  superseded_by: z.string().nullable().describe("Id of the record that replaced this one"),
  source_ids: z.array(z.string()).describe("Ids of the memories that state the value"),
}).meta({ id: "StateRecord" });

export const stateResponse = z.object({ data: stateRecord.nullable() });
export const stateHistoryResponse = z.object({ data: z.array(stateRecord) });

const queryBoolean = z.enum(["true", "false"]).transform((text) => text === "true")
  .meta({ type: "boolean" });

export const beliefQuery = z.object({
  ...slotFields,
  view: z.enum(["default", "conflict", "audit"]).default("conflict")
    .describe(
      "Only the winner, all active candidates, or everything with its evidence. " +
        "Only audit can be combined with all_applicability, which adds the candidates of all contexts",
    ),
  applicability_kind: applicabilityKind.default("global")
    .describe("Kind of context to evaluate"),
  applicability_key: nonBlankText(MAX_SLOT_CHARACTERS).optional()
    .describe("The context to evaluate. Required unless the kind is global"),
  at: timestampField.optional().describe(INSTANT_DESCRIPTION),
  all_applicability: queryBoolean.optional(),
})
  .refine(hasScope, SCOPE_REQUIRED)
  .refine(({ applicability_kind: kind, applicability_key: key }) => kind === "global" || key, {
    message: "Must be set unless applicability_kind is global",
    path: ["applicability_key"],
  })
  .refine(({ view, all_applicability }) => !all_applicability || view === "audit", {
    message: "Must not be true unless view is audit",
    path: ["all_applicability"],
  });

export type BeliefQuery = z.output<typeof beliefQuery>;

const applicability = z.object({ kind: applicabilityKind, key: z.string().nullable() })
  .meta({ id: "Applicability" });

const beliefEvidence = z.object({
  id: z.string(),
  source_id: z.string(),
  evidence_key: z.string(),
  context_id: z.string(),
  applicability,
  observed_at: timestampOutput,
  valid_from: timestampOutput.nullable(),
  valid_to: timestampOutput.nullable(),
  weight: z.number(),
  active: z.boolean(),
}).meta({ id: "BeliefEvidence" });

const belief = z.object({
  id: z.string(),
  subject: z.string(),
  attribute: z.string(),
  value: z.string(),
  applicability,
  status: z.enum(["supported", "contested", "superseded"]).meta({ id: "BeliefStatus" }),
  score: z.number(),
  support: z.number(),
  evidence_count: z.int(),
  context_count: z.int(),
  source_ids: z.array(z.string()),
  first_observed_at: timestampOutput,
  last_observed_at: timestampOutput,
  superseded_by: z.string().nullable(),
  reason_codes: z.array(z.string()),
  evidence: z.array(beliefEvidence),
}).meta({ id: "Belief" });

export const beliefResponse = z.object({
  data: z.object({
    projection_status: z.enum(["ready", "disabled"]),
    mode: z.enum(["enforced", "shadow"]).meta({ id: "BeliefMode" }),
    subject: z.string(),
    attribute: z.string(),
    applicability,
    winner: belief.nullable(),
    candidates: z.array(belief),
    unresolved: z.boolean(),
    reason_codes: z.array(z.string()),
    shadow: z.object({
      outcome: z.enum(["agreement", "disagreement", "no_winner", "no_state", "no_evidence"])
        .meta({ id: "ShadowOutcome" }),
      state: z.string().nullable(),
      winner_id: z.string().nullable(),
    }),
  }).meta({ id: "BeliefView" }),
});

export const profileQuery = z.object({
  ...scopeFields,
  query: nonBlankText(LIMITS.queryCharacters).optional()
    .describe("Return sections ranked for this query instead of one text"),
  limit: queryInteger(1, 20, 5).describe("Maximum number of sections. Only with query"),
}).refine(hasScope, SCOPE_REQUIRED);

export const profileSection = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  score: z.number(),
}).meta({ id: "ProfileSection" });

export const profileResponse = z.object({
  data: z.union([z.array(profileSection), z.string(), z.null()]),
});
