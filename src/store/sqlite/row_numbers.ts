/** Row numbers taken ahead of their rows. */

import sql from "sql-template-tag";
import type { NumberedTable, Tx } from "../store.ts";

/** The first of the next `count` numbers of a table, which nobody else gets; see `Store.reserve`. */
export async function reserveRowNumbers(
  tx: Tx,
  table: NumberedTable,
  count: number,
): Promise<number> {
  const last = await tx.first<{ seq: number }>(
    sql`update sqlite_sequence set seq = seq + ${count} where name = ${table} returning seq`,
  );
  if (last !== undefined) return last.seq - count + 1;
  // The sequence of a table begins with its first row (sqlite.org/autoinc.html).
  await tx.run(sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`);
  return 1;
}
