/**
 * Derives an SQL condition from a filter: for records that match it because their metadata doesn't
 * have the excluded fields at all. SQLite counts them without parsing the metadata.
 */

import sql, { join, type Sql } from "sql-template-tag";
import { type FilterFields, MEMORY_FIELDS } from "../query/filterable.ts";
import { type Condition, type FilterTree, parseFilterTree } from "../query/filter_tree.ts";

/** Operators that are false for a missing field. */
const FALSE_IF_MISSING: readonly string[] = [
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "contains",
  "icontains",
];

/** Keys that JSON stores as they are. */
const PLAIN_KEY = /^[\w -]+$/;

/**
 * Returns a condition under which a record matches for certain, or null if there's none. It only
 * covers filters that exclude values of metadata, e.g. past dates. Other records may match as well.
 *
 * @param filter a filter that compiles
 * @param fields fields of the records to match. Defaults to those of memories
 */
export function certainMatches(filter: unknown, fields: FilterFields = MEMORY_FIELDS): Sql | null {
  return matchesFor(parseFilterTree(filter, fields));
}

function matchesFor(tree: FilterTree): Sql | null {
  if ("all" in tree) return allOf(tree.all.map(matchesFor));
  return "none" in tree ? allOf(tree.none.map(failsFor)) : null;
}

/** Returns a condition under which a record doesn't match for certain, or null if there's none. */
function failsFor(tree: FilterTree): Sql | null {
  if ("any" in tree) return allOf(tree.any.map(failsFor));
  if ("none" in tree) return null;
  if (!("all" in tree)) return lacksField(tree);
  const parts = tree.all.map(failsFor).filter((part) => part !== null);
  return parts.length === 0 ? null : sql`(${join(parts, " or ")})`;
}

function lacksField({ field, operator, operand }: Condition): Sql | null {
  const isFalse = FALSE_IF_MISSING.includes(operator) ||
    (operator === "eq" && operand !== null) || (operator === "exists" && operand === true);
  const key = typeof field === "string" ? undefined : field.at(-1);
  if (!isFalse || key === undefined || !PLAIN_KEY.test(key)) return null;
  return sql`(metadata is null or instr(metadata, ${JSON.stringify(key)}) = 0)`;
}

function allOf(parts: readonly (Sql | null)[]): Sql | null {
  if (parts.length === 0 || parts.includes(null)) return null;
  return sql`(${join(parts as readonly Sql[], " and ")})`;
}
