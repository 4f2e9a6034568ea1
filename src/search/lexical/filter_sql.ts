/**
 * What a filter demands, as far as SQLite can tell: it looks at a row in .25 µs, where one that is
 * handed over takes 2. Whatever it can't tell (NOT, parts of metadata, capitals) is left to the
 * predicate, which has the last word anyway.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { normalizeTimestamp } from "../../kernel/clock.ts";
import { DATE_FIELDS } from "../query/filter.ts";
import { type Condition, type FilterTree, parseFilterTree } from "../query/filter_tree.ts";

const COMPARISONS: Readonly<Record<string, Sql>> = {
  gt: raw(">"),
  gte: raw(">="),
  lt: raw("<"),
  lte: raw("<="),
};

/** Keys that can be written in a path of SQLite's JSON without escapes. */
const PLAIN_KEY = /^[\w -]+$/;

/**
 * A condition that every memory which passes the filter fulfils; null when SQLite can tell nothing.
 *
 * @param filter one that is known to compile; undefined for none
 */
export function sqlPrefilter(filter: unknown): Sql | null {
  return treeCondition(parseFilterTree(filter));
}

function treeCondition(tree: FilterTree): Sql | null {
  if ("all" in tree) {
    const parts = tree.all.map(treeCondition).filter((part) => part !== null);
    return parts.length === 0 ? null : sql`(${join(parts, " and ")})`;
  }
  if ("any" in tree) {
    const parts = tree.any.map(treeCondition);
    return parts.includes(null) ? null : sql`(${join(parts as Sql[], " or ")})`;
  }
  if ("none" in tree) return null;
  return typeof tree.field === "string"
    ? columnCondition(tree, tree.field)
    : metadataCondition(tree, tree.field);
}

function columnCondition({ operator, operand }: Condition, field: string): Sql | null {
  const column = raw(field);
  if (operator === "exists" || operand === null) {
    const isPresent = operand === true || operator === "ne";
    return isPresent ? sql`${column} is not null` : sql`${column} is null`;
  }
  const isDate = (DATE_FIELDS as readonly string[]).includes(field);
  if (operator === "contains") {
    const part = field === "importance" ? null : toSqlText(operand);
    return part === null ? null : sql`instr(${column}, ${part}) > 0`;
  }
  const toStored: (value: unknown) => string | number | null = field === "importance"
    ? toSqlNumber
    : isDate
    ? toSqlDate
    : toSqlText;
  if (operator === "in") {
    const values = (operand as unknown[]).map(toStored);
    if (values.includes(null)) return null;
    // One parameter: a filter may have more values than a statement may have of these.
    return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
  }
  const value = toStored(operand);
  if (value === null) return null;
  if (operator === "eq") return sql`${column} = ${value}`;
  const comparison = COMPARISONS[operator];
  // SQLite compares texts by their bytes, the filter by their UTF-16; dates are ASCII.
  const ordersAlike = isDate || field === "importance";
  return comparison === undefined || !ordersAlike ? null : sql`${column} ${comparison} ${value}`;
}

/** Values of metadata are equal by their tags; what is left are ranges of numbers. */
function metadataCondition({ operator, operand }: Condition, path: readonly string[]): Sql | null {
  const [comparison, value] = [COMPARISONS[operator], toSqlNumber(operand)];
  const isPlain = path.length > 0 && path.every((key) => PLAIN_KEY.test(key));
  if (comparison === undefined || value === null || !isPlain) return null;
  const jsonPath = `$${path.map((key) => `."${key}"`).join("")}`;
  return sql`json_extract(metadata, ${jsonPath}) ${comparison} ${value}`;
}

/** SQLite's integers end at 64 bits. */
function toSqlNumber(operand: unknown): number | null {
  const fits = typeof operand === "number" && Math.abs(operand) <= Number.MAX_SAFE_INTEGER;
  return fits ? operand : null;
}

/** Dates are stored in one form, whose texts are in the order of the instants. */
function toSqlDate(operand: unknown): string | null {
  return typeof operand === "string" ? normalizeTimestamp(operand) : null;
}

/** Half of a character is a part of one to the filter; in UTF-8 there are no halves. */
function toSqlText(operand: unknown): string | null {
  return typeof operand === "string" && operand.isWellFormed() ? operand : null;
}
