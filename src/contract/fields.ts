/** Fields shared by several resources, as zod schemas: scopes, metadata, times, pages. */

import { z } from "zod";
import { normalizeTimestamp } from "../kernel/clock.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { hasControlCharacter, isBlank, textProblem, utf8Length } from "../kernel/text.ts";
import { FREE_OBJECT } from "./json_schema.ts";

/**
 * Returns a zod issue with an error code. Issues without one are reported as INVALID_REQUEST.
 *
 * @example
 * ```ts
 * import { issueWithCode } from "./fields.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(issueWithCode("INVALID_DOCUMENT_METADATA", "Must be a JSON object"), {
 *   code: "custom",
 *   message: "Must be a JSON object",
 *   params: { errorCode: "INVALID_DOCUMENT_METADATA" },
 * });
 * ```
 */
export function issueWithCode(code: ErrorCode, message: string) {
  return { code: "custom" as const, message, params: { errorCode: code } };
}

/**
 * Adds an issue to those of a check. For long texts, `check` and this function take the place of
 * `superRefine`, which keeps every value in memory until V8's next full collection (zod 4.6.7).
 */
export function addIssue(
  { value, issues }: z.core.ParsePayload,
  issue: {
    readonly message: string;
    readonly path?: PropertyKey[];
    readonly params?: Record<string, unknown>;
  },
): void {
  issues.push({ code: "custom", input: value, continue: true, ...issue });
}

/** Adds an issue if the database can't store the value as text. */
export function checkStorable(text: z.core.ParsePayload<string>): void {
  const problem = textProblem(text.value);
  if (problem === "nul") addIssue(text, { message: "Must not contain NUL" });
  if (problem === "surrogate") addIssue(text, { message: "Must not contain lone surrogates" });
}

/**
 * Returns a schema for text of up to `maxCharacters` characters. It can be empty.
 *
 * @example
 * ```ts
 * import { boundedText } from "./fields.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(boundedText(3).safeParse("").success, true);
 * strictEqual(boundedText(3).safeParse("four").success, false);
 * strictEqual(boundedText(3).safeParse("\0").success, false);
 * ```
 */
export function boundedText(maxCharacters: number) {
  return z.string().max(maxCharacters).check(checkStorable);
}

/**
 * Returns a schema for text of up to `maxCharacters` characters, neither empty nor all white space.
 *
 * @example
 * ```ts
 * import { nonBlankText } from "./fields.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(nonBlankText(10).safeParse("tea").success, true);
 * strictEqual(nonBlankText(10).safeParse("  ").success, false);
 * ```
 */
export function nonBlankText(maxCharacters: number) {
  return boundedText(maxCharacters)
    .refine((value) => !isBlank(value), "Must not be empty")
    .meta({ minLength: 1 });
}

/** Record id in a request body. Any text is valid, since the record might not exist anyway. */
export const recordId = z.string().min(1).check(checkStorable);

/** Memory text, stored exactly as sent by the client. */
export const memoryText = z.string().check(checkStorable)
  .refine((value) => !isBlank(value), "Must not be empty")
  .refine((value) => utf8Length(value) <= LIMITS.memoryTextBytes, {
    message: `Must be at most ${LIMITS.memoryTextBytes} bytes of UTF-8`,
  })
  .meta({ minLength: 1, description: `At most ${LIMITS.memoryTextBytes} bytes of UTF-8` });

/** A single scope value: trimmed, then 1 to 256 characters without control characters. */
export const scopeValue = z.string().check(checkStorable).transform((value) => value.trim())
  .pipe(
    z.string().min(1, "Must not be empty").max(LIMITS.scopeCharacters)
      .refine((value) => !hasControlCharacter(value), "Must not contain control characters"),
  )
  .meta({
    minLength: 1,
    description:
      `Trimmed; at most ${LIMITS.scopeCharacters} characters, without control characters`,
  });

/** The three scopes, each optional. */
export const scopeFields = {
  user_id: scopeValue.optional(),
  agent_id: scopeValue.optional(),
  run_id: scopeValue.optional(),
};

/** Scopes in a request. Those left out don't restrict the result. */
export interface Scope {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** Scope names, in the order they're always written in. */
export const SCOPE_KEYS = ["user_id", "agent_id", "run_id"] as const;

/**
 * Returns the scopes set in a request.
 *
 * @example
 * ```ts
 * import { scopeOf } from "./fields.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const request = { query: "tea", user_id: "ada", run_id: undefined };
 * deepStrictEqual(scopeOf(request), { user_id: "ada" });
 * ```
 */
export function scopeOf(fields: Scope): Scope {
  const keys = SCOPE_KEYS.filter((key) => fields[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, fields[key]]));
}

/**
 * Checks whether a request has at least one scope. Used with `refine`.
 *
 * @example
 * ```ts
 * import { hasScope } from "./fields.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(hasScope({ agent_id: "planner" }), true);
 * strictEqual(hasScope({}), false);
 * ```
 */
export function hasScope(fields: Scope): boolean {
  return SCOPE_KEYS.some((key) => fields[key] !== undefined);
}

/** Issue to report when `hasScope` returns false. */
export const SCOPE_REQUIRED = {
  message: "At least one of user_id, agent_id, run_id is required",
  path: ["user_id"],
};

/**
 * Returns a JSON value's nesting depth: 0 for a scalar, 1 for an object with only scalars. Descends
 * at most `limit` levels, so anything deeper yields `limit + 1`.
 *
 * @example
 * ```ts
 * import { jsonDepth } from "./fields.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(jsonDepth("tea", 8), 0);
 * strictEqual(jsonDepth({ drinks: ["tea", "coffee"] }, 8), 2);
 * strictEqual(jsonDepth([[[[]]]], 2), 3);
 * ```
 */
export function jsonDepth(value: unknown, limit: number): number {
  if (value === null || typeof value !== "object") return 0;
  if (limit === 0) return 1;
  return 1 + Object.values(value).reduce<number>(
    (deepest, member) => Math.max(deepest, jsonDepth(member, limit - 1)),
    0,
  );
}

const NOT_AN_OBJECT = "Must be a JSON object";

/** Why `isStorableJson()` is false. */
export const UNSTORABLE_TEXT = "Must not contain NUL or lone surrogates";

/** Checks whether the database can store every text in a value. PostgreSQL can't read others. */
export function isStorableJson(value: unknown): boolean {
  return !someScalar(value, (scalar) => typeof scalar === "string" && textProblem(scalar) !== null);
}

/** Returns why a value can't be used as metadata, or null if it can. */
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
  if (!isStorableJson(value)) return UNSTORABLE_TEXT;
  // JSON.parse reads 1e400 as Infinity, and JSON.stringify would then store null.
  if (someScalar(value, (scalar) => typeof scalar === "number" && !Number.isFinite(scalar))) {
    return "Must not contain numbers beyond the range of a double";
  }
  return null;
}

/** Checks whether any key or scalar within a value passes a test. */
function someScalar(value: unknown, test: (scalar: unknown) => boolean): boolean {
  if (value === null || typeof value !== "object") return test(value);
  return Object.entries(value).some(([key, member]) => test(key) || someScalar(member, test));
}

/**
 * A JSON object of up to 16 KiB and 8 levels, stored as sent by the client. Numbers are doubles, as
 * in any JSON that JavaScript reads: integers beyond 2^53 are rounded.
 */
export const metadataField = z.unknown().superRefine((value, context) => {
  const problem = metadataProblem(value);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
}).transform((value) => value as Readonly<Record<string, unknown>>)
  .meta({
    id: "Metadata",
    ...FREE_OBJECT,
    description:
      `At most ${LIMITS.metadataBytes} bytes as JSON, ${LIMITS.metadataDepth} levels deep`,
  });

/**
 * A JSON object whose members aren't checked. Unlike `z.record`, it keeps one named `__proto__`,
 * without which a filter would match more.
 */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  NOT_AN_OBJECT,
);

/** Metadata in a response. */
export const storedMetadata = z.record(z.string(), z.unknown()).meta({ id: "StoredMetadata" });

/** Document metadata. Has its own error code for values that aren't objects. */
export const documentMetadataField = z.unknown().superRefine((value, context) => {
  const problem = metadataProblem(value);
  if (problem === NOT_AN_OBJECT) {
    context.addIssue(issueWithCode("INVALID_DOCUMENT_METADATA", problem));
  } else if (problem !== null) context.addIssue({ code: "custom", message: problem });
}).transform((value) => value as Readonly<Record<string, unknown>>)
  .meta({ id: "DocumentMetadata", ...FREE_OBJECT });

/** A date or date-time as written by clients. The output is in the stored form. */
export const timestampField = z.string().transform((value, context) => {
  const normalized = normalizeTimestamp(value);
  if (normalized === null) {
    context.addIssue({ code: "custom", message: "Must be an ISO 8601 date or date-time" });
    return z.NEVER;
  }
  return normalized;
}).meta({ description: "A calendar date, or an ISO 8601 date-time (UTC unless it has an offset)" });

/** A timestamp in a response. */
export const timestampOutput = z.string().meta({ format: "date-time" });

/**
 * Returns a schema for a whole number in a URL query.
 *
 * @example
 * ```ts
 * import { queryInteger } from "./fields.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const limit = queryInteger(1, 100, 20);
 * strictEqual(limit.parse("50"), 50);
 * strictEqual(limit.parse(undefined), 20);
 * strictEqual(limit.safeParse("101").success, false);
 * ```
 */
export function queryInteger(min: number, max: number, defaultValue: number) {
  return z.string().regex(/^\d{1,9}$/, `Must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(defaultValue)
    .meta({ type: "integer", minimum: min, maximum: max, default: defaultValue });
}

/** Query parameters for a list. */
export const pageFields = {
  limit: queryInteger(1, LIMITS.pageSize, LIMITS.pageSizeDefault),
  cursor: z.string().optional(),
};

/**
 * Returns the schema for one page of a list. `next_cursor` is null on the last page.
 *
 * @example
 * ```ts
 * import { pageOf } from "./fields.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 * import { z } from "zod";
 *
 * const page = { results: ["tea"], next_cursor: null };
 * deepStrictEqual(pageOf(z.string()).parse(page), page);
 * ```
 */
export function pageOf(item: z.ZodType) {
  return z.object({ results: z.array(item), next_cursor: z.string().nullable() });
}
