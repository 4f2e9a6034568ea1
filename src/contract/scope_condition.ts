/** SQL conditions for rows with scopes. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { type Scope, SCOPE_KEYS } from "./fields.ts";

/** A column with a scope. */
export type ScopeKey = typeof SCOPE_KEYS[number];

/**
 * Returns `and user_id = ? …` for the scopes that are set, or empty SQL if none are.
 *
 * @param indexed columns whose index SQLite can use. The plus sign excludes that of any other
 *
 * @example
 * ```ts
 * import { inScope } from "./scope_condition.ts";
 * import { deepStrictEqual, strictEqual } from "node:assert/strict";
 *
 * const condition = inScope({ user_id: "ada", run_id: "r1" });
 * strictEqual(condition.sql, "and user_id = ? and run_id = ?");
 * deepStrictEqual(condition.values, ["ada", "r1"]);
 * ```
 */
export function inScope(scope: Scope, indexed: readonly ScopeKey[] = SCOPE_KEYS): Sql {
  const conditions = SCOPE_KEYS.filter((key) => scope[key] !== undefined)
    .map((key) => sql`and ${raw(indexed.includes(key) ? key : `+${key}`)} = ${scope[key]}`);
  return conditions.length === 0 ? empty : join(conditions, " ");
}
