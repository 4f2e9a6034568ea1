/**
 * What a filter demands of the text index: tags that every memory which passes must have. It spares
 * looking at a million rows for the hundred that pass; whatever can't be told by tags (ranges, NOT,
 * parts of texts) is left to the predicate, which has the last word anyway.
 */

import { isObject } from "./filter.ts";
import { type Condition, type FilterTree, parseFilterTree } from "./filter_tree.ts";

/** Every clause must hold: at least one of its tags. */
export type TagClauses = readonly (readonly string[])[];

/** Fields of a memory that the index has tags for. */
const TAGGED_FIELDS = ["user_id", "agent_id", "run_id", "memory_type"];

/** Tags a memory may have for its metadata. With more values it has only the one that says so. */
const MAX_METADATA_TAGS = 64;
const MANY_VALUES_TAG = "metadata-values=many";

/** Characters of a value that are part of its tag; longer values share a tag, which is no harm. */
const MAX_TAG_VALUE_CHARACTERS = 256;

/** The tags of a memory's metadata: one for each value and each member of a list. */
export function metadataTags(metadata: unknown): string[] {
  const tags = new Set<string>();
  collectTags(metadata, [], tags);
  return tags.size > MAX_METADATA_TAGS ? [MANY_VALUES_TAG] : [...tags];
}

function collectTags(value: unknown, path: readonly string[], tags: Set<string>): void {
  if (Array.isArray(value)) {
    for (const each of value) if (isScalar(each)) tags.add(metadataTag(path, each));
  } else if (isObject(value)) {
    for (const [key, below] of Object.entries(value)) collectTags(below, [...path, key], tags);
  } else if (isScalar(value)) {
    tags.add(metadataTag(path, value));
  }
}

/** The clauses of a filter that is known to compile; none for undefined. */
export function tagClauses(filter: unknown): TagClauses {
  return treeClauses(parseFilterTree(filter));
}

function treeClauses(tree: FilterTree): TagClauses {
  if ("all" in tree) return tree.all.flatMap(treeClauses);
  if ("any" in tree) return anyOfClauses(tree.any.map(treeClauses));
  return "none" in tree ? [] : conditionClauses(tree);
}

/** One of the branches must hold, so one clause of each is joined; a branch without any tells nothing. */
function anyOfClauses(branches: readonly TagClauses[]): TagClauses {
  const firsts = branches.map(([first]) => first);
  return firsts.some((first) => first === undefined) ? [] : [firsts.flatMap((first) => first!)];
}

/** Equality and lists of values have tags; other operators have none. */
function conditionClauses({ field, operator, operand }: Condition): TagClauses {
  const values = operator === "eq" ? [operand] : operator === "in" ? operand as unknown[] : [];
  const scalars = values.filter(isScalar);
  if (scalars.length === 0) return [];
  if (typeof field !== "string") {
    return [[...scalars.map((each) => metadataTag(field, each)), MANY_VALUES_TAG]];
  }
  return TAGGED_FIELDS.includes(field) ? [scalars.map((each) => `${field}=${each}`)] : [];
}

type Scalar = string | number | boolean;

function metadataTag(path: readonly string[], value: Scalar): string {
  const text = String(value).slice(0, MAX_TAG_VALUE_CHARACTERS);
  return `metadata.${path.join(".")}=${typeof value}:${text}`;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
