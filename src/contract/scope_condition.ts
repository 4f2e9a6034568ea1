/** Scopes as a condition on rows that carry them. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { type Scope, SCOPE_KEYS } from "./fields.ts";

/** `and user_id = ? …` for the scopes that were given; empty without any. */
export function inScope(scope: Scope): Sql {
  const conditions = SCOPE_KEYS.filter((key) => scope[key] !== undefined)
    .map((key) => sql`and ${raw(key)} = ${scope[key]}`);
  return conditions.length === 0 ? empty : join(conditions, " ");
}
