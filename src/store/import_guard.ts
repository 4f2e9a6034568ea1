/** What others have to know of an import that goes on, and what it has to know of them. */

import sql, { type Sql } from "sql-template-tag";
import type { Reader, Tx } from "./store.ts";

/** What can be deleted while some of it is still to come. */
export type DeletedKind = "source" | "scope" | "feedback";

/**
 * Notes a deletion within its unit of work, if an import goes on that could undo it. True when it
 * does and the deletion wasn't noted before.
 */
export async function recordDeletion(
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
export async function deletedDuringImport(
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

/** The id of an import that waits or runs; null when there is none. */
export async function activeImport(db: Reader, project: number): Promise<string | null> {
  const found = await db.first<{ id: string }>(sql`select id from tasks
    where project = ${project} and kind = 'import' and ${IS_ACTIVE}`);
  return found?.id ?? null;
}

/** Whether another import has written into the project, or is about to. */
export async function hasCompetingImport(
  db: Reader,
  project: number,
  id: string,
): Promise<boolean> {
  return await db.first(sql`select 1 from tasks where project = ${project} and kind = 'import'
    and id <> ${id} and progress is not null`) !== undefined;
}

/**
 * For an import that begins in an empty project: nothing is noted, and what an earlier one has left
 * off is nothing to go on with.
 */
export async function resetImportState(tx: Tx, project: number): Promise<void> {
  await clearDeletions(tx, project);
  await tx.run(sql`update tasks set progress = null
    where project = ${project} and kind = 'import' and status = 'dead'`);
}

/** For an import that is done. */
export async function clearDeletions(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from import_deletions where project = ${project}`);
}

const IS_ACTIVE = sql`status in ('pending', 'processing', 'retry')`;

/** One that waits, runs, or has stopped on its way and can be told to go on. */
function unfinishedImport(project: number): Sql {
  return sql`select 1 from tasks where project = ${project} and kind = 'import'
    and (${IS_ACTIVE} or status = 'dead' and progress is not null)`;
}
