/**
 * SQL for the derived views: whether a project has them, and how far they've followed the journal.
 */

import sql, { empty, type Sql } from "sql-template-tag";
import { timestamp } from "../kernel/clock.ts";
import { journalEndOf, selectChanges } from "../store/journal_changes.ts";
import { integers } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

/** Maximum number of changes to count. Nothing needs an exact number beyond that. */
const MAX_COUNTED_CHANGES = 100_000;

/**
 * Number of leases that a run can lose in a row, without progress, before its texts may be what ends
 * the process.
 */
const MAX_CRASHES = 3;

/** Progress of a project's derived views. */
export interface DerivedProgress {
  readonly derivation: 0 | 1;
  /** The last journal entry included in the views. Null if they aren't built. */
  readonly position: number | null;
  /** The journal's last entry, or 0 if it's empty. */
  readonly head: number;
  /** Engine and version that read the texts. Null if they weren't read, or it wasn't recorded. */
  readonly reader: string | null;
}

/** Returns a project's progress. Derivation counts as disabled for deleted projects. */
export async function progressOf(db: Reader, project: number): Promise<DerivedProgress> {
  const progress = await db.first<DerivedProgress>(sql`select derivation,
      (select position from derived_progress where project = number) as position,
      (${journalEndOf(sql`number`)}) as head,
      (select reader from derived_progress where project = number) as reader
    from projects where number = ${project}`);
  return progress ?? { derivation: 0, position: null, head: 0, reader: null };
}

/** Returns the number of journal entries after a position, up to 100,000. */
export async function countChangesAfter(
  db: Reader,
  project: number,
  position: number,
): Promise<number> {
  const changes = selectChanges(sql`1`, { project, after: position });
  const row = await db.first<{ n: number }>(
    sql`select count(*) as n from (${changes} limit ${MAX_COUNTED_CHANGES}) as changes`,
  );
  return row!.n;
}

/** A journal entry with the fields needed by projections. */
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

/** Records that the views are built up to a position, from texts read by `reader`. */
export async function setBuilt(
  tx: Tx,
  project: number,
  position: number,
  reader: string,
): Promise<void> {
  await tx.run(sql`insert into derived_progress (project, position, reader)
    values (${project}, ${position}, ${reader})
    on conflict (project) do update set position = excluded.position, reader = excluded.reader`);
}

/**
 * Advances the position unless the views were discarded in the meantime.
 *
 * @returns whether the position was advanced
 */
export async function advanceProgress(tx: Tx, project: number, position: number): Promise<boolean> {
  return await tx.run(sql`update derived_progress set position = ${position}
    where project = ${project} and position < ${position}`) > 0;
}

/** Records that the views aren't built. */
export async function deleteProgress(tx: Tx, project: number): Promise<void> {
  await tx.run(sql`delete from derived_progress where project = ${project}`);
}

/** Returns those of the given projects whose views lag behind. See {@linkcode laggingProjects}. */
export async function behindProjects(
  db: Reader,
  reader: string,
  among: readonly number[],
): Promise<number[]> {
  const rows = await db.all<{ number: number }>(sql`select number from projects
    where number in ${integers(among)} and ${isBehind(reader)}`);
  return rows.map((row) => row.number);
}

/**
 * Returns up to `count` projects with lagging views and no derivation task. Views also lag behind if
 * their texts were read by another engine or version than `reader`.
 *
 * A dead task only blocks its project if it died within `blockedMs`, and not if all attempts ended
 * because the server exited and it made progress in between.
 *
 * @param among the projects to check, or null for all of them
 */
export async function laggingProjects(
  db: Reader,
  reader: string,
  { now, blockedMs }: { readonly now: number; readonly blockedMs: number },
  count: number,
  among: readonly number[] | null,
): Promise<number[]> {
  const isWanted = among === null ? empty : sql`number in ${integers(among)} and`;
  const rows = await db.all<{ number: number }>(sql`select number from projects
    where ${isWanted} ${isBehind(reader)}
      and not exists (select 1 from tasks where project = number and kind in ('derive', 'rebuild')
        and (status in ('pending', 'retry', 'processing')
          or (status = 'dead' and completed_at > ${timestamp(now - blockedMs)}
            and completed_at <= ${timestamp(now)} and not
            (crashes between 1 and ${MAX_CRASHES - 1}
              and error ->> 'code' = 'task_queue_delivery_exhausted'))))
    limit ${count}`);
  return rows.map((row) => row.number);
}

/** Returns a condition for projects whose views lag behind. */
function isBehind(reader: string): Sql {
  return sql`deleted_at is null and derivation = 1
    and ((${journalEndOf(sql`number`)}) >
        coalesce((select position from derived_progress where project = number), 0)
      or exists (select 1 from derived_progress
        where project = number and reader is distinct from ${reader}))`;
}

/**
 * Deletes a project's `derive` tasks that have ended and its rebuilds that died, before the next run
 * is queued.
 *
 * @returns the progress of the newest one, as JSON text, if it died during a build, for the next one
 *   to continue, otherwise null
 */
export async function deleteEndedRuns(tx: Tx, project: number): Promise<string | null> {
  const ended = await tx.all<{ seq: number; progress: string | null }>(sql`delete from tasks
    where project = ${project} and (kind, status) in
      (values ('derive', 'success'), ('derive', 'dead'), ('rebuild', 'dead'))
    returning seq, progress`);
  const newest = ended.sort((a, b) => b.seq - a.seq).at(0);
  return newest?.progress ?? null;
}
