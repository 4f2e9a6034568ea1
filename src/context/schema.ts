/** Request and response schemas of the context for a prompt. */

import { z } from "zod";
import {
  hasScope,
  nonBlankText,
  SCOPE_REQUIRED,
  scopeFields,
  timestampOutput,
} from "../contract/fields.ts";
import { LIMITS } from "../kernel/limits.ts";

/** What a context can consist of, in the order of its sections. */
export const PARTS = ["memories", "state", "profile", "passages"] as const;

export type Part = typeof PARTS[number];

const part = z.enum(PARTS).meta({ id: "ContextPart" });
const format = z.enum(["markdown", "json"]).meta({ id: "ContextFormat" });

/** Parts that are derived from a scope, and don't exist without one. */
export const SCOPED_PARTS: readonly Part[] = ["state", "profile"];

export const contextBody = z.object({
  query: nonBlankText(LIMITS.queryCharacters)
    .describe("What the context is for, for example the user's message"),
  ...scopeFields,
  max_tokens: z.int().min(1).max(LIMITS.contextTokens).optional().describe(
    `Maximum number of tokens in the text, by an estimate that is usually too high. Defaults to ${LIMITS.contextTokensDefault} unless max_chars is set`,
  ),
  max_chars: z.int().min(1).max(LIMITS.contextCharacters).optional()
    .describe("Maximum number of characters in the text"),
  include: z.array(part).min(1).optional().describe(
    "What to include. Defaults to everything; without a scope, to memories and passages",
  ),
  format: format.default("markdown").describe("Format of the text"),
}).refine(
  (body) => hasScope(body) || !body.include?.some((name) => SCOPED_PARTS.includes(name)),
  SCOPE_REQUIRED,
);

export type ContextBody = z.output<typeof contextBody>;

/** Returns the parts that a context consists of. */
export function partsOf(body: ContextBody): ReadonlySet<Part> {
  return new Set(
    body.include ?? PARTS.filter((name) => hasScope(body) || !SCOPED_PARTS.includes(name)),
  );
}

/** Returns how many searches a context needs. */
export function countSearches(body: ContextBody): number {
  return [...partsOf(body)].filter((name) => !SCOPED_PARTS.includes(name)).length;
}

/** A passage's place in its source. */
const citation = z.object({
  document_id: z.string().describe("Id of the version of the document"),
  source_key: z.string(),
  title: z.string(),
  start_byte: z.int(),
  end_byte: z.int(),
}).meta({ id: "Citation" });

const contextItem = z.object({
  kind: z.enum(["memory", "state", "profile", "passage"]).meta({ id: "ContextItemKind" }),
  id: z.string().describe("Id of the memory, the state record or the chunk"),
  text: z.string(),
  date: timestampOutput.nullable().describe("When the events in it happened, or it was stored"),
  score: z.number().nullable().describe("Score in its search; null for state and profile"),
  source_ids: z.array(z.string()).describe("Ids of the memories or the document it comes from"),
  citation: citation.nullable(),
}).meta({ id: "ContextItem" });

export type ContextItem = z.output<typeof contextItem>;

export const contextResponse = z.object({
  text: z.string().describe("The context, ready to be put into a prompt. Empty if nothing fits"),
  format,
  tokens: z.int().describe("Estimated number of tokens in the text"),
  items: z.array(contextItem).describe("What the text consists of, most useful first"),
  left_out: z.object({
    over_budget: z.int().describe("Number of items that didn't fit"),
    unavailable: z.array(
      z.object({
        part,
        code: z.string().describe("The error that a request for it returns"),
      }).meta({ id: "UnavailablePart" }),
    ),
  }),
}).meta({ id: "Context" });

export type ContextResponse = z.output<typeof contextResponse>;
