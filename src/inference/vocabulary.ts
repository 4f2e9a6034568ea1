/**
 * The vocabulary of claims: which attributes are single-valued, what type and importance the
 * resulting memories get, and how values are compared.
 */
import type { Claim } from "./extractor.ts";
import { truncate } from "../kernel/text.ts";
import type { MemoryType } from "../memories/schema.ts";

/** Maximum length of an inferred memory, in characters. It's a single sentence. */
export const MAX_MEMORY_CHARACTERS = 300;

/** Maximum length of a claim value, in characters. */
export const MAX_VALUE_CHARACTERS = 120;

/** Attributes with one value at a time. All others can have several. */
const SINGLE_VALUED: ReadonlySet<string> = new Set([
  ..."name pronouns birthday age from religion lives_in address works_at job_title".split(" "),
  ..."employment studies_at studies marital_status spouse partner children siblings".split(" "),
  ..."species breed native_language diet editor os browser shell timezone email".split(" "),
  ..."phone website".split(" "),
]);

/** Checks whether a new value of an attribute supersedes the old one. */
export function isSingleValued(attribute: string): boolean {
  return SINGLE_VALUED.has(attribute) || attribute.startsWith("favorite_") ||
    attribute.startsWith("decision:");
}

const ATTRIBUTES_BY_TYPE: ReadonlyArray<readonly [MemoryType, string]> = [
  ["todo", "todo"],
  ["goal", "goal plan"],
  ["decision", "decision"],
  [
    "identity",
    "name nickname pronouns birthday age from nationality identity religion native_language",
  ],
  ["preference", "diet avoids likes dislikes prefers hobby"],
];
const TYPE_BY_ATTRIBUTE: ReadonlyMap<string, MemoryType> = new Map(
  ATTRIBUTES_BY_TYPE.flatMap(([type, names]) =>
    names.split(" ").map((name) => [name, type] as const)
  ),
);

/** Returns the type of memories that claim this attribute. */
export function memoryTypeOf(attribute: string): MemoryType {
  if (attribute.startsWith("favorite_")) return "preference";
  if (attribute.startsWith("decision:")) return "decision";
  return TYPE_BY_ATTRIBUTE.get(attribute) ?? "fact";
}

const IMPORTANCE_BY_TYPE: Readonly<Record<MemoryType, number>> = {
  identity: 0.9,
  decision: 0.8,
  todo: 0.8,
  goal: 0.7,
  preference: 0.6,
  fact: 0.5,
  event: 0.5,
  observation: 0.3,
};
const ATTRIBUTES_BY_IMPORTANCE: ReadonlyArray<readonly [number, string]> = [
  [0.9, "allergic_to condition medication"],
  [0.8, "email phone website handle address"],
  [
    0.7,
    "lives_in lived_in works_at worked_at job_title employment studies_at studies spouse partner " +
    "child sibling parent grandparent relative children siblings marital_status pet",
  ],
  [0.6, "uses editor os browser shell programming_language framework database timezone"],
];
const IMPORTANCE_BY_ATTRIBUTE: ReadonlyMap<string, number> = new Map(
  ATTRIBUTES_BY_IMPORTANCE.flatMap(([weight, names]) =>
    names.split(" ").map((name) => [name, weight] as const)
  ),
);

/** Returns a memory's importance, based on its type and claims. */
export function importanceOf(type: MemoryType, claims: readonly Claim[]): number {
  const weights = claims.map((claim) => IMPORTANCE_BY_ATTRIBUTE.get(claim.attribute) ?? 0);
  return Math.max(IMPORTANCE_BY_TYPE[type], ...weights);
}

/** Normalizes a value, subject or text for comparison. Ignores case, articles and punctuation. */
export function comparable(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/[’‘]/g, "'")
    .replace(/\b(?:the|a|an|my|our|their|his|her)\b/g, " ")
    .replace(/[^\p{L}\p{N}@.+#/:'-]+/gu, " ").replace(/[.:]+(?=\s|$)/g, " ")
    .replace(/\s+/g, " ").trim();
}

/** Returns a string that identifies a slot, i.e. a claim's subject and attribute. */
export function slotKey(claim: Pick<Claim, "subject" | "attribute">): string {
  return `${comparable(claim.subject)}\n${claim.attribute}`;
}

/** Returns a string that identifies a claim's content, without its `op`. */
export function claimKey(claim: Pick<Claim, "subject" | "attribute" | "value">): string {
  return `${slotKey(claim)}\n${comparable(claim.value)}`;
}

/**
 * Checks whether two normalized values mean the same because one is short for the other ("Siemens",
 * "Siemens AG").
 */
export function isSameValue(a: string, b: string): boolean {
  const x = a.split(" "), y = b.split(" ");
  return x.every((word) => y.includes(word)) || y.every((word) => x.includes(word));
}

/**
 * Cleans up a value: strips trailing punctuation and extra white space, and truncates it to 120
 * characters.
 */
export function tidyValue(value: string): string {
  const text = value.replace(/\s+/g, " ").trim().replace(/[\s.,;:!?]+$/, "").trim();
  return text.length <= MAX_VALUE_CHARACTERS
    ? text
    : truncate(text, MAX_VALUE_CHARACTERS).replace(/\s+\S*$/, "");
}

/** Marital statuses that end the marriage to any spouse. */
export const ENDS_MARRIAGE = /^(?:divorced|widowed|separated|single)$/;
