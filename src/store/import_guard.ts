/** Coordinates a running import with deletions and with other imports into the same project. */

import sql, { type Sql } from "sql-template-tag";
import { texts } from "./sql.ts";
import type { Reader, Tx } from "./store.ts";

/** Records that can be deleted before a running import has written them all. */
export type DeletedKind = "source" | "scope" | "feedback";

/**
 * Records a deletion, in the same unit of work, if an unfinished import could undo it. Returns true
 * if so, unless the deletion was already recorded.
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

/** Returns the names deleted since the import was accepted. */
export async function deletedDuringImport(
  db: Reader,
  project: number,
  kind: DeletedKind,
  names: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ name: string }>(sql`select name from import_deletions
    where project = ${project} and kind = ${kind}
      and name in ${texts(names)}`);
  return new Set(rows.map(({ name }) => name));
}

/** Returns the id of a waiting or running import, or null if there isn't one. */
export async function activeImport(db: Reader, project: number): Promise<string | null> {
  const found = await db.first<{ id: string }>(sql`select id from tasks
    where project = ${project} and kind = 'import' and ${IS_ACTIVE}`);
  return found?.id ?? null;
}

/** Checks whether a different import has written, or is about to write, to the project. */
export async function hasCompetingImport(
  db: Reader,
  project: number,
  id: string,
): Promise<boolean> {
  return await db.first(sql`select 1 from tasks where project = ${project} and kind = 'import'
    and id <> ${id} and progress is not null`) !== undefined;
}

/**
 * Clears recorded deletions and the progress of failed imports. Call this when an import begins in
 * an empty project, where there's nothing left to resume.
 */
export async function resetImportState(tx: Tx, project: number): Promise<void> {
  await clearDeletions(tx, project);
  await tx.run(sql`update tasks set progress = null
    where project = ${project} and kind = 'import' and status = 'dead'`);
}

/**
 * Gives up a cancelled import, so that it prevents no other one. Deletions stay recorded if another
 * import still needs them.
 */
export async function abandonImport(tx: Tx, project: number, id: string): Promise<void> {
  await tx.run(sql`update tasks set progress = null
    where project = ${project} and id = ${id} and kind = 'import' and status = 'cancelled'`);
  await tx.run(sql`delete from import_deletions
    where project = ${project} and not exists (${unfinishedImport(project)})`);
}

/** Clears recorded deletions. Call this when an import is complete. */
export async function clearDeletions(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from import_deletions where project = ${project}`);
}

const IS_ACTIVE = sql`status in ('pending', 'processing', 'retry')`;

/** Returns a query for an import that is waiting, running, or failed but resumable. */
function unfinishedImport(project: number): Sql {
  return sql`select 1 from tasks where project = ${project} and kind = 'import'
    and (${IS_ACTIVE} or status = 'dead' and progress is not null)`;
}
