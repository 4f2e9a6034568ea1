/** SQL for snapshots. Finds rows and ids that prevent an import. */

import sql, { empty, raw } from "sql-template-tag";
import type { SectionRows } from "../contract/snapshot.ts";
import type { Reader } from "../store/store.ts";

/** An id already in use in the database. */
export interface ExistingId {
  readonly project: number;
  readonly id: string;
}

/** Checks whether a project has any rows that prevent an import. */
export async function hasRows(
  db: Reader,
  project: number,
  { table, condition }: SectionRows,
): Promise<boolean> {
  return await db.first(sql`select 1 from ${raw(table)}
    where project = ${project} ${condition ?? empty} limit 1`) !== undefined;
}

/** Returns the next ids in the database, from any project. */
export function existingIds(
  db: Reader,
  { table, column = "id" }: SectionRows,
  after: ExistingId | null,
  count: number,
): Promise<ExistingId[]> {
  const id = raw(column);
  return db.all<ExistingId>(sql`select distinct project, ${id} as id from ${raw(table)}
    where (project, ${id}) > (${after?.project ?? 0}, ${after?.id ?? ""})
    order by project, ${id} limit ${count}`);
}
