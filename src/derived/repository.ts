/**
 * SQL for the derived views: whether a project has them, and how far they have followed the
 * journal.
 */

import sql from "sql-template-tag";
import { journalEndOf, selectChanges } from "../store/journal_changes.ts";
import type { Reader, Tx } from "../store/store.ts";
import { MAX_CRASHES } from "../tasks/queue.ts";

/** Maximum number of changes to count. An exact number beyond that has no use. */
const MAX_COUNTED_CHANGES = 100_000;

/** Progress of the derived views of a project. */
export interface DerivedProgress {
  readonly derivation: 0 | 1;
  /** The last journal entry that the views include. Null if the views are not built. */
  readonly position: number | null;
  /** The last entry of the journal, or 0 if it is empty. */
  readonly head: number;
}

/** Returns the progress of a project. For a deleted project, derivation is disabled. */
export async function progressOf(db: Reader, project: number): Promise<DerivedProgress> {
  const progress = await db.first<DerivedProgress>(sql`select derivation,
      (select position from derived_progress where project = number) as position,
      (${journalEndOf(sql`number`)}) as head
    from projects where number = ${project}`);
  return progress ?? { derivation: 0, position: null, head: 0 };
}

/** Returns the number of journal entries after a position, up to 100,000. */
export async function countChangesAfter(
  db: Reader,
  project: number,
  position: number,
): Promise<number> {
  const changes = selectChanges(sql`1`, { project, after: position });
  const row = await db.first<{ n: number }>(
    sql`select count(*) as n from (${changes} limit ${MAX_COUNTED_CHANGES})`,
  );
  return row!.n;
}

/** A journal entry with the fields that projections need. */
export interface JournalRow {
  readonly seq: number;
  readonly kind: string;
  readonly record_id: string;
  readonly change: string;
}

/** Returns a project's next journal entries after a position, oldest first. */
export function journalAfter(
  db: Reader,
  project: number,
  position: number,
  count: number,
): Promise<JournalRow[]> {
  const changes = selectChanges(sql`seq, kind, record_id, change`, { project, after: position });
  return db.all<JournalRow>(sql`${changes} order by seq limit ${count}`);
}

/** Records that the views are built up to a position. */
export async function setBuilt(tx: Tx, project: number, position: number): Promise<void> {
  await tx.run(sql`insert into derived_progress (project, position) values (${project}, ${position})
    on conflict (project) do update set position = excluded.position`);
}

/**
 * Advances the position unless the views have been discarded in the meantime.
 *
 * @returns whether the position was advanced
 */
export async function advanceProgress(tx: Tx, project: number, position: number): Promise<boolean> {
  return await tx.run(sql`update derived_progress set position = ${position}
    where project = ${project} and position < ${position}`) > 0;
}

/** Records that the views are not built. */
export async function deleteProgress(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from derived_progress where project = ${project}`);
}

/**
 * Returns up to `count` projects whose views lag behind and that have no derivation task.
 *
 * A dead task blocks its project only if it died after `deadBefore`, and it doesn't block the
 * project if all attempts ended because the server exited and it made progress in between.
 */
export async function laggingProjects(
  db: Reader,
  deadBefore: string,
  count: number,
): Promise<number[]> {
  const rows = await db.all<{ number: number }>(sql`select number from projects
    where deleted_at is null and derivation = 1
      and (${journalEndOf(sql`number`)}) >
        coalesce((select position from derived_progress where project = number), 0)
      and not exists (select 1 from tasks where project = number and kind in ('derive', 'rebuild')
        and (status in ('pending', 'retry', 'processing')
          or (status = 'dead' and completed_at > ${deadBefore} and not
            (crashes between 1 and ${MAX_CRASHES - 1}
              and error ->> 'code' = 'task_queue_delivery_exhausted'))))
    limit ${count}`);
  return rows.map((row) => row.number);
}

/**
 * Deletes the finished runs of a project before the next one is queued, so only the latest is kept.
 */
export async function deleteEndedRuns(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from tasks where project = ${project} and (kind, status) in
    (values ('derive', 'success'), ('derive', 'dead'), ('rebuild', 'dead'))`);
}
