/** Iterates over a project's rows in insertion order, at a bounded cost per step. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { NumberedTable, Reader } from "./store.ts";

/**
 * Row numbers scanned per step. Indexes begin with the project rather than the row number, so we
 * scan a range of the table itself and skip other projects' rows. A range without any row of the
 * project ends at its next one. Finding it reads the project's entries of an index, which are fewer
 * than the rows passed over unless the project is very large.
 */
const MAX_SCANNED_ROWS = 2_000;

/** Rows in order, and the row number to continue after, or null after the last row. */
export interface RowBatch<Row> {
  readonly rows: readonly Row[];
  readonly next: readonly [number] | null;
}

/**
 * Returns the next rows of a table. A step comes back empty if no row of its range meets the
 * condition.
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
  let begin = Number(after?.[0] ?? 0);
  // The plus signs keep SQLite from using an index and then having to sort its rows, or from not
  // using one (sqlite.org/optoverview.html).
  const inRange = (end: number) =>
    sql`from ${raw(table)} where +project = ${project} and seq > ${begin} and seq <= ${end}`;
  for (;;) {
    const end = Math.min(begin + MAX_SCANNED_ROWS, until);
    const rows = await db.all<Row>(sql`select ${columns} ${inRange(end)} ${condition ?? sql``}
      order by seq limit ${count}`);
    const last = rows.at(-1);
    if (rows.length === count && last !== undefined) return { rows, next: [last.seq] };
    const isLast = end === until ||
      await db.first(sql`select 1 from ${raw(table)} where seq > ${end} limit 1`) === undefined;
    if (isLast) return { rows, next: null };
    const isEmpty = last === undefined &&
      (condition === undefined ||
        await db.first(sql`select 1 ${inRange(end)} limit 1`) === undefined);
    if (!isEmpty) return { rows, next: [end] };
    const found = await db.first<{ seq: number | null }>(sql`select min(+seq) as seq
      from ${raw(table)} where project = ${project} and +seq > ${end}`);
    const seq = found?.seq ?? Infinity;
    if (seq > until) return { rows, next: null };
    begin = seq - 1;
  }
}
