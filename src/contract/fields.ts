/** The fields that resources share, as zod schemas: scopes, metadata, times, pages. */

import { z } from "zod";
import { normalizeTimestamp } from "../kernel/clock.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { hasControlCharacter, isBlank, textProblem, utf8Length } from "../kernel/text.ts";

/** For an issue that has an error code of its own; any other is INVALID_REQUEST. */
export function issueWithCode(code: ErrorCode, message: string) {
  return { code: "custom" as const, message, params: { errorCode: code } };
}

/** Refuses what can't be stored as text, in words for whoever sent it. */
function checkStorable(value: string, context: z.RefinementCtx<string>): void {
  const fault = textProblem(value);
  if (fault === "nul") context.addIssue({ code: "custom", message: "Must not contain NUL" });
  if (fault === "surrogate") {
    context.addIssue({ code: "custom", message: "Must be well-formed Unicode (lone surrogate)" });
  }
}

/** Text of any length up to a number of characters, possibly empty. */
export function boundedText(maxCharacters: number) {
  return z.string().max(maxCharacters).superRefine(checkStorable);
}

/** Text that says something: not empty, not only white space. */
export function nonBlankText(maxCharacters: number) {
  return boundedText(maxCharacters)
    .refine((value) => !isBlank(value), "Must not be empty")
    .meta({ minLength: 1 });
}

/** The id of a record in a body: any text, since what it names may not be there. */
export const recordId = z.string().min(1).superRefine(checkStorable);

/** The text of a memory. Stored exactly as sent. */
export const memoryText = z.string().superRefine(checkStorable)
  .refine((value) => !isBlank(value), "Must not be empty")
  .refine((value) => utf8Length(value) <= LIMITS.memoryTextBytes, {
    message: `Must be at most ${LIMITS.memoryTextBytes} bytes of UTF-8`,
  })
  .meta({ minLength: 1, description: `At most ${LIMITS.memoryTextBytes} bytes of UTF-8` });

/** One value of a scope: trimmed, then 1 to 256 characters without control characters. */
export const scopeValue = z.string().superRefine(checkStorable).transform((value) => value.trim())
  .pipe(
    z.string().min(1, "Must not be empty").max(LIMITS.scopeCharacters)
      .refine((value) => !hasControlCharacter(value), "Must not contain control characters"),
  )
  .meta({
    minLength: 1,
    description:
      `Trimmed, then at most ${LIMITS.scopeCharacters} characters, none a control character`,
  });

/** The three scopes, each optional. */
export const scopeFields = {
  user_id: scopeValue.optional(),
  agent_id: scopeValue.optional(),
  run_id: scopeValue.optional(),
};

/** The scopes that own a stored record: null where it has none. */
export const storedScopes = {
  user_id: scopeValue.nullable(),
  agent_id: scopeValue.nullable(),
  run_id: scopeValue.nullable(),
};

/** For `refine`: a stored record belongs to someone. */
export function isOwned(record: Readonly<Record<keyof typeof storedScopes, string | null>>) {
  return SCOPE_KEYS.some((key) => record[key] !== null);
}

/** Scopes as given; those left out are no condition. */
export interface Scope {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** The fields of a scope, in the order in which they are always written. */
export const SCOPE_KEYS = ["user_id", "agent_id", "run_id"] as const;

/** The scopes of a request without its other fields, and without those left out. */
export function scopeOf(fields: Scope): Scope {
  const given = SCOPE_KEYS.filter((key) => fields[key] !== undefined);
  return Object.fromEntries(given.map((key) => [key, fields[key]]));
}

/** For `refine`: at least one scope must be there. */
export function hasScope(fields: Scope): boolean {
  return SCOPE_KEYS.some((key) => fields[key] !== undefined);
}

/** What `hasScope` says when it refuses. */
export const SCOPE_REQUIRED = {
  message: "Give at least one of user_id, agent_id, run_id",
  path: ["user_id"],
};

/** How deep a JSON value nests: scalars 0, an object of scalars 1. Stops looking past `limit`. */
export function jsonDepth(value: unknown, limit: number): number {
  if (value === null || typeof value !== "object") return 0;
  if (limit === 0) return 1;
  return 1 + Object.values(value).reduce<number>(
    (deepest, member) => Math.max(deepest, jsonDepth(member, limit - 1)),
    0,
  );
}

const NOT_AN_OBJECT = "Must be a JSON object";

/** Why a value can't be metadata, or null when it can. */
function metadataProblem(value: unknown): string | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return NOT_AN_OBJECT;
  }
  if (jsonDepth(value, LIMITS.metadataDepth) > LIMITS.metadataDepth) {
    return `Must nest at most ${LIMITS.metadataDepth} levels deep`;
  }
  const text = JSON.stringify(value);
  if (utf8Length(text) > LIMITS.metadataBytes) {
    return `Must be at most ${LIMITS.metadataBytes} bytes as JSON`;
  }
  if (someScalar(value, (each) => typeof each === "string" && textProblem(each) !== null)) {
    return "Must not contain NUL or lone surrogates";
  }
  // JSON.parse reads 1e400 as Infinity, and JSON.stringify would store that as null.
  if (someScalar(value, (each) => typeof each === "number" && !Number.isFinite(each))) {
    return "Must not contain numbers beyond the range of a double";
  }
  return null;
}

/** Whether any key, or any value that holds no others, passes a test. */
function someScalar(value: unknown, test: (scalar: unknown) => boolean): boolean {
  if (value === null || typeof value !== "object") return test(value);
  return Object.entries(value).some(([key, member]) => test(key) || someScalar(member, test));
}

/** A JSON object of at most 16 KiB and 8 levels; kept exactly as it was sent. */
export const metadataField = z.unknown().superRefine((value, context) => {
  const fault = metadataProblem(value);
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
}).transform((value) => value as Readonly<Record<string, unknown>>)
  .meta({
    type: "object",
    additionalProperties: true,
    description:
      `At most ${LIMITS.metadataBytes} bytes as JSON, ${LIMITS.metadataDepth} levels deep`,
  });

/** The same for a document, where what is no object has a code of its own. */
export const documentMetadataField = z.unknown().superRefine((value, context) => {
  const fault = metadataProblem(value);
  if (fault === NOT_AN_OBJECT) context.addIssue(issueWithCode("INVALID_DOCUMENT_METADATA", fault));
  else if (fault !== null) context.addIssue({ code: "custom", message: fault });
}).transform((value) => value as Readonly<Record<string, unknown>>)
  .meta({ type: "object", additionalProperties: true });

/** A date or date-time as clients write it; leaves as the stored form. */
export const timestampField = z.string().transform((value, context) => {
  const normalized = normalizeTimestamp(value);
  if (normalized === null) {
    context.addIssue({ code: "custom", message: "Must be an ISO 8601 date or date-time" });
    return z.NEVER;
  }
  return normalized;
}).meta({ description: "A calendar date, or an ISO 8601 date-time (UTC unless it has an offset)" });

/** A timestamp exactly as the service writes it, for what comes back from it. */
export const storedTimestamp = z.string().refine((text) => normalizeTimestamp(text) === text, {
  message: "Must be a timestamp like 2026-03-04T05:06:07.089Z",
}).meta({ format: "date-time" });

/** A timestamp as the service writes it. */
export const timestampOutput = z.string().meta({ format: "date-time" });

/** A whole number in the query of a URL. */
export function queryInteger(min: number, max: number, defaultValue: number) {
  return z.string().regex(/^\d{1,9}$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(defaultValue)
    .meta({ type: "integer", minimum: min, maximum: max, default: defaultValue });
}

/** `limit` and `cursor` of a list. */
export const pageFields = {
  limit: queryInteger(1, LIMITS.pageSize, LIMITS.pageSizeDefault),
  cursor: z.string().optional(),
};

/** A page of a list. `next_cursor` is null on the last one. */
export function pageOf(item: z.ZodType) {
  return z.object({ results: z.array(item), next_cursor: z.string().nullable() });
}
