/** Rules that are checked by a query, the same one on both engines. */

import type { Sql } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";

/** A query for the rows that break a rule, and what to say about each. */
export interface Rule<Row> {
  readonly query: Sql;
  readonly problem: (row: Row) => string;
}

/** Yields what is wrong with the rows of a data directory that break a rule. */
export function* ruleProblems<Row>(connection: Connection, rule: Rule<Row>): Generator<string> {
  for (const row of connection.iterate<Row>(rule.query)) yield rule.problem(row);
}
