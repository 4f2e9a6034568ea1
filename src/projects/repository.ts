/** What others ask of the rows of projects. */

import sql from "sql-template-tag";
import type { Reader } from "../store/store.ts";

/** Whether a project is there, and not deleted. */
export async function projectExists(db: Reader, project: number): Promise<boolean> {
  return await db.first(
    sql`select 1 from projects where number = ${project} and deleted_at is null`,
  ) !== undefined;
}
