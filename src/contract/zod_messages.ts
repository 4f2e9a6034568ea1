/** What is wrong with a field, in the words of this service where a schema brings none of its own. */

import type { z } from "zod";

/** What a value has to be, by the name that zod has for it. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
};

/** What is counted where a length is limited. */
const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " items" };

/** Handed to each parsing of what came from outside; undefined leaves the words to zod. */
export const zodErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "Must be given";
      return TYPE_NAMES[issue.expected] && `Must be ${TYPE_NAMES[issue.expected]}`;
    case "invalid_value":
      if (issue.input === undefined) return "Must be given";
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return `Must ${limitMessage("least", issue.minimum, issue.origin)}`;
    case "too_big":
      return `Must ${limitMessage("most", issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
};

function limitMessage(side: "least" | "most", limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return `${unit === undefined ? "be" : "have"} at ${side} ${limit}${unit ?? ""}`;
}
