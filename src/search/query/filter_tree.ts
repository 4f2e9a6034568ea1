/**
 * Parses a filter into a syntax tree, for code that derives something other than a predicate from
 * it.
 */

import { isObject, type JsonObject, LOGIC } from "./filter.ts";
import { type FilterFields, MEMORY_FIELDS } from "./filterable.ts";
import { OPERATORS } from "./filter_operators.ts";

/** A field of the record itself, or the path to a value in its metadata. */
export type FieldOrPath = string | readonly string[];

/** A condition on a single field. */
export interface Condition {
  readonly field: FieldOrPath;
  /** One of `OPERATORS`. */
  readonly operator: string;
  readonly operand: unknown;
}

/**
 * Either a condition, or subtrees combined by a logical operator: all, at least one, or none of
 * them must match.
 */
export type FilterTree =
  | Condition
  | { readonly all: readonly FilterTree[] }
  | { readonly any: readonly FilterTree[] }
  | { readonly none: readonly FilterTree[] };

const LOGIC_NODES = {
  AND: (all: readonly FilterTree[]) => ({ all }),
  OR: (any: readonly FilterTree[]) => ({ any }),
  NOT: (none: readonly FilterTree[]) => ({ none }),
} as const;

/**
 * Parses a filter into its tree.
 *
 * @param filter a filter that compiles, or undefined for none
 * @param fields fields of the records to match. Defaults to those of memories
 *
 * @example
 * ```ts
 * import { parseFilterTree } from "./filter_tree.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual(parseFilterTree({ user_id: "ana", NOT: { "metadata.trip.year": 2025 } }), {
 *   all: [
 *     { field: "user_id", operator: "eq", operand: "ana" },
 *     { none: [{ all: [{ field: ["trip", "year"], operator: "eq", operand: 2025 }] }] },
 *   ],
 * });
 * ```
 */
export function parseFilterTree(
  filter: unknown,
  fields: FilterFields = MEMORY_FIELDS,
): FilterTree {
  const all = Object.entries((filter ?? {}) as JsonObject).map(([key, value]) =>
    parseEntry(fields, key, value)
  );
  return { all };
}

/**
 * Returns the columns read by a filter.
 *
 * @example
 * ```ts
 * import { parseFilterTree, referencedColumns } from "./filter_tree.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const tree = parseFilterTree({ OR: [{ user_id: "ana" }, { topic: "travel" }] });
 * deepStrictEqual([...referencedColumns(tree)], ["user_id", "metadata"]);
 * ```
 */
export function referencedColumns(tree: FilterTree): ReadonlySet<string> {
  if ("field" in tree) return new Set([typeof tree.field === "string" ? tree.field : "metadata"]);
  const parts = "all" in tree ? tree.all : "any" in tree ? tree.any : tree.none;
  return new Set(parts.flatMap((part) => [...referencedColumns(part)]));
}

function parseEntry(fields: FilterFields, key: string, value: unknown): FilterTree {
  if (Object.hasOwn(LOGIC, key)) {
    const branches = (Array.isArray(value) ? value : [value]).map((branch) =>
      parseFilterTree(branch, fields)
    );
    return LOGIC_NODES[LOGIC[key as keyof typeof LOGIC]](branches);
  }
  if (fields.names.includes(key)) return parseConditions(key, value);
  if (key === "metadata") {
    return isObject(value) ? parseNested([], value) : parseConditions([], value);
  }
  return parseConditions(key.replace(/^metadata\./, "").split("."), value);
}

/**
 * Parses an object inside `metadata`. Keys are path segments until a value turns out to be a
 * condition.
 */
function parseNested(parentPath: readonly string[], value: JsonObject): FilterTree {
  const all = Object.entries(value).map(([key, child]) => {
    const path = [...parentPath, ...key.split(".")];
    const isNested = isObject(child) && Object.keys(child).length > 0 &&
      !Object.keys(child).some((name) => OPERATORS.includes(name));
    return isNested ? parseNested(path, child) : parseConditions(path, child);
  });
  return { all };
}

function parseConditions(field: FieldOrPath, value: unknown): FilterTree {
  if (!isObject(value)) {
    return value === "*"
      ? { field, operator: "exists", operand: true }
      : { field, operator: "eq", operand: value };
  }
  const all = Object.entries(value)
    .map(([operator, operand]) => ({ field, operator, operand }));
  return { all };
}
