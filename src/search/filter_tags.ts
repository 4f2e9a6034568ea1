/**
 * What a filter demands of the text index: tags that every memory which passes must have. It spares
 * looking at a million rows for the hundred that pass; whatever can't be told by tags (ranges, NOT,
 * parts of texts) is left to the predicate, which has the last word anyway.
 */

/** Every clause must hold: at least one of its tags. */
export type TagClauses = readonly (readonly string[])[];

type Json = Readonly<Record<string, unknown>>;

/** Fields of a memory that the index has tags for. */
const TAGGED_FIELDS = ["user_id", "agent_id", "run_id", "memory_type"];

/** Fields that it has none for. */
const UNTAGGED_FIELDS = [
  ...["id", "memory", "importance", "created_at", "updated_at"],
  ...["event_date", "valid_from", "valid_to"],
];

/** Tags a memory may have for its metadata. With more values it has only the one that says so. */
const MOST_TAGS = 64;
const TOO_MANY = "metadata-values=many";

/** Characters of a value that are part of its tag; longer values share a tag, which is no harm. */
const VALUE_CHARACTERS = 256;

/** The tags of a memory's metadata: one for each value and each member of a list. */
export function metadataTags(metadata: unknown): string[] {
  const tags = new Set<string>();
  collect(metadata, [], tags);
  return tags.size > MOST_TAGS ? [TOO_MANY] : [...tags];
}

function collect(value: unknown, path: readonly string[], tags: Set<string>): void {
  if (Array.isArray(value)) {
    for (const each of value) if (isScalar(each)) tags.add(tagOf(path, each));
  } else if (isObject(value)) {
    for (const [key, below] of Object.entries(value)) collect(below, [...path, key], tags);
  } else if (isScalar(value)) {
    tags.add(tagOf(path, value));
  }
}

/** The clauses of a filter that is known to compile; none for undefined. */
export function clausesOf(filter: unknown): TagClauses {
  return isObject(filter) ? Object.entries(filter).flatMap(([key, value]) => part(key, value)) : [];
}

function part(key: string, value: unknown): TagClauses {
  if (key === "AND" || key === "and") return (value as unknown[]).flatMap(clausesOf);
  if (key === "OR" || key === "or") return either((value as unknown[]).map(clausesOf));
  if (key === "NOT" || key === "not") return [];
  if (TAGGED_FIELDS.includes(key)) return condition(value, (each) => `${key}=${each}`);
  if (UNTAGGED_FIELDS.includes(key)) return [];
  if (key === "metadata") return isObject(value) ? nested([], value) : [];
  return metadataField(key.replace(/^metadata\./, "").split("."), value);
}

/** One of the branches must hold, so one clause of each is joined; a branch without any tells nothing. */
function either(branches: readonly TagClauses[]): TagClauses {
  const firsts = branches.map(([first]) => first);
  return firsts.some((first) => first === undefined) ? [] : [firsts.flatMap((first) => first!)];
}

const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains"];

function nested(path: readonly string[], value: Json): TagClauses {
  return Object.entries(value).flatMap(([key, below]) => {
    const here = [...path, ...key.split(".")];
    const deeper = isObject(below) && Object.keys(below).length > 0 &&
      !Object.keys(below).some((name) => OPERATORS.includes(name) || name === "exists");
    return deeper ? nested(here, below) : metadataField(here, below);
  });
}

function metadataField(path: readonly string[], value: unknown): TagClauses {
  return condition(value, (each) => tagOf(path, each))
    .map((clause) => [...clause, TOO_MANY]);
}

/** Equality and lists of values have tags; other operators have none. */
function condition(value: unknown, tag: (value: Scalar) => string): TagClauses {
  if (isScalar(value)) return value === "*" ? [] : [[tag(value)]];
  if (!isObject(value)) return [];
  const equal = isScalar(value["eq"]) ? [[tag(value["eq"])]] : [];
  const among = Array.isArray(value["in"]) ? [value["in"].filter(isScalar).map(tag)] : [];
  return [...equal, ...among];
}

type Scalar = string | number | boolean;

function tagOf(path: readonly string[], value: Scalar): string {
  const text = String(value).slice(0, VALUE_CHARACTERS);
  return `metadata.${path.join(".")}=${typeof value}:${text}`;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
