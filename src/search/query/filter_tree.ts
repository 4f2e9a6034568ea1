/** What a filter says, apart from how it is written: for whoever looks for more than a predicate. */

import { FIELDS, isObject, type JsonObject, LOGIC, OPERATORS } from "./filter.ts";

/** A field of the memory itself, or the way to a value below its metadata. */
export type FieldOrPath = string | readonly string[];

/** One demand on one field. */
export interface Condition {
  readonly field: FieldOrPath;
  /** One of `OPERATORS`. */
  readonly operator: string;
  readonly operand: unknown;
}

/** Conditions that must all hold, of which one must, or of which none may. */
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

/** @param filter one that is known to compile; undefined for none */
export function parseFilterTree(filter: unknown): FilterTree {
  const all = Object.entries((filter ?? {}) as JsonObject).map(([key, value]) =>
    parseEntry(key, value)
  );
  return { all };
}

/** The columns of a memory that a filter looks at. */
export function referencedColumns(tree: FilterTree): ReadonlySet<string> {
  if ("field" in tree) return new Set([typeof tree.field === "string" ? tree.field : "metadata"]);
  const parts = "all" in tree ? tree.all : "any" in tree ? tree.any : tree.none;
  return new Set(parts.flatMap((part) => [...referencedColumns(part)]));
}

function parseEntry(key: string, value: unknown): FilterTree {
  if (Object.hasOwn(LOGIC, key)) {
    const branches = (Array.isArray(value) ? value : [value]).map(parseFilterTree);
    return LOGIC_NODES[LOGIC[key as keyof typeof LOGIC]](branches);
  }
  if (FIELDS.includes(key)) return parseConditions(key, value);
  if (key === "metadata") {
    return isObject(value) ? parseNested([], value) : parseConditions([], value);
  }
  return parseConditions(key.replace(/^metadata\./, "").split("."), value);
}

/** Objects below `metadata`: keys lead deeper, until one holds a condition. */
function parseNested(above: readonly string[], value: JsonObject): FilterTree {
  const all = Object.entries(value).map(([key, below]) => {
    const path = [...above, ...key.split(".")];
    const deeper = isObject(below) && Object.keys(below).length > 0 &&
      !Object.keys(below).some((name) => OPERATORS.includes(name));
    return deeper ? parseNested(path, below) : parseConditions(path, below);
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
