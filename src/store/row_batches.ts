/** Iterates over a project's rows in insertion order, at a bounded cost per step. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { NumberedTable, Reader } from "./store.ts";

/**
 * Row numbers scanned per step. Indexes begin with the project rather than the row number, so we
 * scan a range of the table itself and skip other projects' rows.
 */
const MAX_SCANNED_ROWS = 2_000;

/** Rows in order, and the row number to continue after, or null after the last row. */
export interface RowBatch<Row> {
  readonly rows: readonly Row[];
  readonly next: readonly [number] | null;
}

/**
 * Returns the next rows of a table. A step can come back empty even if it isn't the last one.
 *
 * @param range `after` is the previous step's `next`; `condition` is an extra filter on the rows;
 *   `last` is the last row number to scan and defaults to the table's last one
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
  // The plus sign keeps SQLite from using an index and then having to sort its rows
  // (sqlite.org/optoverview.html).
  const rows = await db.all<Row>(sql`select ${columns} from ${raw(table)}
    where +project = ${project} and seq > ${begin} and seq <= ${end} ${condition ?? sql``}
    order by seq limit ${count}`);
  const last = rows.at(-1);
  if (rows.length === count && last !== undefined) return { rows, next: [last.seq] };
  if (end === until) return { rows, next: null };
  const more = await db.first(sql`select 1 from ${raw(table)} where seq > ${end} limit 1`);
  return { rows, next: more === undefined ? null : [end] };
}
