/** What others have to know of an import that goes on, and what it has to know of them. */

import sql, { type Sql } from "sql-template-tag";
import type { Reader, Tx } from "./store.ts";

/** What can be deleted while some of it is still to come. */
export type DeletedKind = "source" | "scope" | "feedback";

/**
 * Notes a deletion within its unit of work, if an import goes on that could undo it. True when it
 * does and the deletion wasn't noted before.
 */
export async function noteDeletion(
  tx: Tx,
  project: number,
  kind: DeletedKind,
  name: string,
): Promise<boolean> {
  return await tx.run(sql`insert into import_deletions (project, kind, name)
    select ${project}, ${kind}, ${name} where exists (${unfinishedImport(project)})
    on conflict do nothing`) > 0;
}

/** Those of the names that were deleted since the import was accepted. */
export async function deletedMeanwhile(
  db: Reader,
  project: number,
  kind: DeletedKind,
  names: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ name: string }>(sql`select name from import_deletions
    where project = ${project} and kind = ${kind}
      and name in (select value from json_each(${JSON.stringify([...names])}))`);
  return new Set(rows.map(({ name }) => name));
}

/** Whether an import goes on: what it brings may be still to come, all of it. */
export async function isImporting(db: Reader, project: number): Promise<boolean> {
  return await db.first(unfinishedImport(project)) !== undefined;
}

/** For an import that begins, or is done. */
export async function forgetDeletions(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from import_deletions where project = ${project}`);
}

/** One that waits, runs, or has stopped on its way and can be told to go on. */
function unfinishedImport(project: number): Sql {
  return sql`select 1 from tasks where project = ${project} and kind = 'import'
    and (status in ('pending', 'processing', 'retry') or status = 'dead' and progress is not null)`;
}
