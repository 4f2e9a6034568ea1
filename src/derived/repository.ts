/** The SQL of the derived views: whether a project has them, and how far they have come. */

import sql from "sql-template-tag";
import type { Reader, Tx } from "../store/store.ts";
import { MAX_CRASHES } from "../tasks/queue.ts";

/** Changes that are counted at most: beyond that the number tells nothing more. */
const MAX_COUNTED_CHANGES = 100_000;

/** Where the derived views of a project are. */
export interface DerivedProgress {
  readonly derivation: 0 | 1;
  /** The journal's entry that was followed last; null when the views are not built. */
  readonly position: number | null;
  /** The journal's last entry; 0 when it has none. */
  readonly head: number;
}

/** The place of a project; switched off for a project that is gone. */
export async function progressOf(db: Reader, project: number): Promise<DerivedProgress> {
  const progress = await db.first<DerivedProgress>(sql`select derivation,
      (select position from derived_progress where project = number) as position,
      coalesce((select max(seq) from journal where project = number), 0) as head
    from projects where number = ${project}`);
  return progress ?? { derivation: 0, position: null, head: 0 };
}

/** Changes of the journal after a place. */
export async function countChangesAfter(
  db: Reader,
  project: number,
  position: number,
): Promise<number> {
  const counted = await db.first<{ n: number }>(sql`select count(*) as n from
    (select 1 from journal where project = ${project} and seq > ${position} limit ${MAX_COUNTED_CHANGES})`);
  return counted!.n;
}

/** An entry of the journal, as far as a projection needs it. */
export interface JournalRow {
  readonly seq: number;
  readonly kind: string;
  readonly record_id: string;
  readonly change: string;
}

/** The next entries of a project after a place, oldest first. */
export function journalAfter(
  db: Reader,
  project: number,
  position: number,
  count: number,
): Promise<JournalRow[]> {
  return db.all<JournalRow>(sql`select seq, kind, record_id, change from journal
    where project = ${project} and seq > ${position} order by seq limit ${count}`);
}

/** The views are built up to here. */
export async function setBuilt(tx: Tx, project: number, position: number): Promise<void> {
  await tx.run(sql`insert into derived_progress (project, position) values (${project}, ${position})
    on conflict (project) do update set position = excluded.position`);
}

/** Moves on, unless the views were thrown away meanwhile. */
export async function advanceProgress(tx: Tx, project: number, position: number): Promise<boolean> {
  return await tx.run(sql`update derived_progress set position = ${position}
    where project = ${project} and position < ${position}`) > 0;
}

/** The views are no longer built. */
export async function deleteProgress(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from derived_progress where project = ${project}`);
}

/**
 * Projects whose views lag behind, and that no task is about already: at most so many. A task that
 * died before an instant is about nothing any more, nor is one that only its server's ends have
 * worn out, with progress between them.
 */
export async function laggingProjects(
  db: Reader,
  deadBefore: string,
  count: number,
): Promise<number[]> {
  const rows = await db.all<{ number: number }>(sql`select number from projects
    where deleted_at is null and derivation = 1
      and coalesce((select max(seq) from journal where project = number), 0) >
        coalesce((select position from derived_progress where project = number), 0)
      and not exists (select 1 from tasks where project = number and kind in ('derive', 'rebuild')
        and (status in ('pending', 'retry', 'processing')
          or (status = 'dead' and completed_at > ${deadBefore} and not
            (crashes between 1 and ${MAX_CRASHES - 1}
              and error ->> 'code' = 'task_queue_delivery_exhausted'))))
    limit ${count}`);
  return rows.map((row) => row.number);
}

/** Runs that are over say nothing any more once the next is queued: only the last one is kept. */
export async function deleteEndedRuns(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from tasks where project = ${project} and (kind, status) in
    (values ('derive', 'success'), ('derive', 'dead'), ('rebuild', 'dead'))`);
}
