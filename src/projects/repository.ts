/** Project SQL shared with other modules. */

import sql from "sql-template-tag";
import type { Reader } from "../store/store.ts";

/** Checks whether a project exists and isn't deleted. */
export async function projectExists(db: Reader, project: number): Promise<boolean> {
  return await db.first(
    sql`select 1 from projects where number = ${project} and deleted_at is null`,
  ) !== undefined;
}
