/** Reserves row numbers ahead of time. */

import sql from "sql-template-tag";
import type { NumberedTable, Tx } from "../store.ts";

/**
 * Reserves the next `count` row numbers of a table and returns the first one. See
 * {@linkcode Store.reserve}.
 */
export async function reserveRowNumbers(
  tx: Tx,
  table: NumberedTable,
  count: number,
): Promise<number> {
  const last = await tx.first<{ seq: number }>(
    sql`update sqlite_sequence set seq = seq + ${count} where name = ${table} returning seq`,
  );
  if (last !== undefined) return last.seq - count + 1;
  // A table has no sequence until its first insert (sqlite.org/autoinc.html).
  await tx.run(sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`);
  return 1;
}
