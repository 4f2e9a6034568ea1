/** Checks the totals of projects and scopes against their memories. */

import sql, { raw } from "sql-template-tag";
import { SCOPE_TYPES } from "../../memories/scope_counters.ts";
import type { Rule } from "./rules.ts";

const SCOPE_COUNTS = Object.entries(SCOPE_TYPES).map(([type, column]) =>
  sql` union all select project, ${type}, ${raw(column)}, count(*) from memories
    where ${raw(column)} is not null group by project, ${raw(column)}`
);

/** A total is the number of memories in its scope. A total of 0 can be missing. */
export const TOTALS_RULE: Rule<
  { readonly type: string; readonly id: string; readonly stored: number; readonly counted: number }
> = {
  query: sql`
    with counted as (
      select project, 'project' as type, '' as id, count(*) as n from memories group by project
      ${SCOPE_COUNTS.reduce((all, part) => sql`${all}${part}`)})
    select coalesce(c.type, t.type) as type, coalesce(c.id, t.id) as id,
      coalesce(total_memories, 0) as stored, coalesce(n, 0) as counted
    from counted as c full join scope_totals as t
      on t.project = c.project and t.type = c.type and t.id = c.id
    where coalesce(total_memories, 0) <> coalesce(n, 0)`,
  problem: ({ type, id, stored, counted }) =>
    `the total of ${type} "${id}" is ${stored} memories, expected ${counted}`,
};
