/** Walking over a project's rows in the order of their writing, in steps of bounded cost. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { NumberedTable, Reader } from "./store.ts";

/**
 * Row numbers that one step looks at. Indexes lead with the project and not with the number, so a
 * step reads a stretch of the table itself; rows of other projects in it are passed over.
 */
const MAX_SCANNED_ROWS = 2_000;

/** Some rows in order, and the number to go on after; null when there are no more. */
export interface RowBatch<Row> {
  readonly rows: readonly Row[];
  readonly next: readonly [number] | null;
}

/**
 * The next rows of a table, after where the step before ended. A step may find none and still not
 * be the last.
 *
 * @param range `condition` narrows the rows further; `last` is the last row number to look at, the
 * table's last when not given
 */
export async function nextRowBatch<Row extends { readonly seq: number }>(
  db: Reader,
  { table, columns, project, after, count, condition, last: until = Infinity }: {
    readonly table: NumberedTable;
    readonly columns: Sql;
    readonly project: number;
    readonly after: readonly (string | number)[] | null;
    readonly count: number;
    readonly condition?: Sql;
    readonly last?: number;
  },
): Promise<RowBatch<Row>> {
  const begin = Number(after?.[0] ?? 0);
  const end = Math.min(begin + MAX_SCANNED_ROWS, until);
  // The plus keeps SQLite from an index that it would have to sort (sqlite.org/optoverview.html).
  const rows = await db.all<Row>(sql`select ${columns} from ${raw(table)}
    where +project = ${project} and seq > ${begin} and seq <= ${end} ${condition ?? sql``}
    order by seq limit ${count}`);
  const last = rows.at(-1);
  if (rows.length === count && last !== undefined) return { rows, next: [last.seq] };
  if (end === until) return { rows, next: null };
  const more = await db.first(sql`select 1 from ${raw(table)} where seq > ${end} limit 1`);
  return { rows, next: more === undefined ? null : [end] };
}
