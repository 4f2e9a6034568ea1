/** Messages for invalid fields, used unless a schema has its own. */

import type { z } from "zod";

/** Type names used in messages, keyed by zod name. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
};

/** Units for length limits. */
const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " items" };

/**
 * Returns the message for an issue, or undefined to use zod's own. Pass this to every call that
 * parses input.
 *
 * @example
 * ```ts
 * import { zodErrorMap } from "./zod_messages.ts";
 * import { strictEqual } from "node:assert/strict";
 * import { z } from "zod";
 *
 * const result = z.string().max(3).safeParse("four", { error: zodErrorMap });
 * strictEqual(result.error?.issues[0]?.message, "Must have at most 3 characters");
 * ```
 */
export const zodErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "Required";
      return TYPE_NAMES[issue.expected] && `Must be ${TYPE_NAMES[issue.expected]}`;
    case "invalid_value":
      if (issue.input === undefined) return "Required";
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return `Must ${limitMessage("least", issue.minimum, issue.origin)}`;
    case "too_big":
      return `Must ${limitMessage("most", issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
};

/**
 * Returns the message for an issue in a query, whose repeated parameters are lists. Pass this
 * instead of `zodErrorMap` when parsing one.
 */
export const queryErrorMap: z.core.$ZodErrorMap = (issue) =>
  Array.isArray(issue.input) && issue.path?.length === 1
    ? "Must not be repeated"
    : zodErrorMap(issue);

function limitMessage(side: "least" | "most", limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return `${unit === undefined ? "be" : "have"} at ${side} ${limit}${unit ?? ""}`;
}
