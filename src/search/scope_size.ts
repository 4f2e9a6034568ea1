/** How many memories a search has to look at, told by the totals that are kept anyway. */

import sql from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";

/** Columns that a scope demands, and the totals' names for them. */
const SCOPE_TYPES: Readonly<Record<string, string>> = {
  user_id: "user",
  agent_id: "agent",
  run_id: "run",
};

/** What a search demands of every memory. */
export interface Demand {
  readonly column: string;
  readonly value: string;
}

/** `user_id=ana` and the like, taken apart. */
export function demandsOf(tags: readonly string[]): Demand[] {
  return tags.map((tag) => {
    const at = tag.indexOf("=");
    return { column: tag.slice(0, at), value: tag.slice(at + 1) };
  });
}

/** The smallest scope that is demanded (null: only the project), and how many memories it has. */
export function narrowestScope(
  connection: Connection,
  project: number,
  demands: readonly Demand[],
): { readonly scope: Demand | null; readonly size: number } {
  const total = (type: string, id: string) =>
    connection.first<{ n: number }>(sql`select total_memories as n from scope_totals
      where project = ${project} and type = ${type} and id = ${id}`)?.n ?? 0;
  const scoped = demands.flatMap((scope) => {
    const type = SCOPE_TYPES[scope.column];
    return type === undefined ? [] : [{ scope, size: total(type, scope.value) }];
  });
  return scoped.reduce<{ scope: Demand | null; size: number }>(
    (least, each) => each.size < least.size ? each : least,
    { scope: null, size: total("project", "") },
  );
}
