/**
 * Derives index tags from a filter. Every memory that matches the filter has these tags, so the
 * text index can narrow a million rows down to the hundred that match. Conditions not expressible
 * as tags (ranges, NOT, substrings) are left to the predicate, which checks every candidate anyway.
 */

import { isObject } from "./filter.ts";
import { type Condition, type FilterTree, parseFilterTree } from "./filter_tree.ts";

/** A conjunction of clauses. A record satisfies a clause if it has at least one of its tags. */
export type TagClauses = readonly (readonly string[])[];

/** Memory fields with tags in the index. */
const TAGGED_FIELDS = ["user_id", "agent_id", "run_id", "memory_type"];

/**
 * Maximum number of metadata tags per memory. Beyond that, a memory only gets `MANY_VALUES_TAG`.
 */
const MAX_METADATA_TAGS = 64;
const MANY_VALUES_TAG = "metadata-values=many";

/**
 * Maximum number of characters of a value used in its tag. Longer values may end up sharing a tag,
 * which only adds candidates.
 */
const MAX_TAG_VALUE_CHARACTERS = 256;

/**
 * Returns a memory's metadata tags, one per value and per list item.
 *
 * @example
 * ```ts
 * import { metadataTags } from "./filter_tags.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(metadataTags({ trip: { year: 2026, cities: ["Porto", "Lisbon"] } }), [
 *   "metadata.trip.year=number:2026",
 *   "metadata.trip.cities=string:Porto",
 *   "metadata.trip.cities=string:Lisbon",
 * ]);
 * ```
 */
export function metadataTags(metadata: unknown): string[] {
  const tags = new Set<string>();
  collectTags(metadata, [], tags);
  return tags.size > MAX_METADATA_TAGS ? [MANY_VALUES_TAG] : [...tags];
}

function collectTags(value: unknown, path: readonly string[], tags: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) if (isScalar(item)) tags.add(metadataTag(path, item));
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) collectTags(child, [...path, key], tags);
  } else if (isScalar(value)) {
    tags.add(metadataTag(path, value));
  }
}

/**
 * Returns the clauses for a filter.
 *
 * @param filter a filter that compiles, or undefined for none
 *
 * @example
 * ```ts
 * import { tagClauses } from "./filter_tags.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * // A range can't be expressed as a tag.
 * deepStrictEqual(tagClauses({ user_id: "ana", topic: "travel", importance: { gt: 0.5 } }), [
 *   ["user_id=ana"],
 *   ["metadata.topic=string:travel", "metadata-values=many"],
 * ]);
 * ```
 */
export function tagClauses(filter: unknown): TagClauses {
  return treeClauses(parseFilterTree(filter));
}

function treeClauses(tree: FilterTree): TagClauses {
  if ("all" in tree) return tree.all.flatMap(treeClauses);
  if ("any" in tree) return anyOfClauses(tree.any.map(treeClauses));
  return "none" in tree ? [] : conditionClauses(tree);
}

/**
 * Merges the first clause from each branch, since at least one branch has to match. If a branch has
 * no clauses, we can't derive anything from the OR.
 */
function anyOfClauses(branches: readonly TagClauses[]): TagClauses {
  const firsts = branches.map(([first]) => first);
  return firsts.some((first) => first === undefined) ? [] : [firsts.flatMap((first) => first!)];
}

/** Returns a condition's clauses. Only `eq` and `in` can be expressed as tags. */
function conditionClauses({ field, operator, operand }: Condition): TagClauses {
  const values = operator === "eq" ? [operand] : operator === "in" ? operand as unknown[] : [];
  const scalars = values.filter(isScalar);
  if (scalars.length === 0) return [];
  if (typeof field !== "string") {
    return [[...scalars.map((value) => metadataTag(field, value)), MANY_VALUES_TAG]];
  }
  return TAGGED_FIELDS.includes(field) ? [scalars.map((value) => `${field}=${value}`)] : [];
}

type Scalar = string | number | boolean;

function metadataTag(path: readonly string[], value: Scalar): string {
  const text = String(value).slice(0, MAX_TAG_VALUE_CHARACTERS);
  return `metadata.${path.join(".")}=${typeof value}:${text}`;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
