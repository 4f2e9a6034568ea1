/** The SQL that reads tasks. */

import sql, { empty, join, type Sql } from "sql-template-tag";
import type { Reader } from "../store/store.ts";
import type { ClaimedTask } from "./handler.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** A row of `tasks` without its command; the structured fields are JSON text. */
export interface TaskRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: TaskKind;
  readonly status: TaskStatus;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly scope: string;
  readonly result: string | null;
  /** The blob of the whole result, when the row holds only the outline of it. */
  readonly result_blob: string | null;
  readonly error: string | null;
  readonly next_attempt_at: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The columns of a TaskRow. */
export const COLUMNS =
  sql`seq, id, kind, status, attempts, max_attempts, scope, result, result_blob, error,
  next_attempt_at, started_at, completed_at, created_at, updated_at`;

/** A row of `tasks` as a worker takes it. */
export interface ClaimedRow {
  readonly seq: number;
  readonly project: number;
  readonly id: string;
  readonly kind: TaskKind;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly payload: string;
  readonly progress: string | null;
  readonly lease_token: string;
}

export const CLAIMED_COLUMNS = sql`seq, project, id, kind, attempts, max_attempts, payload,
  progress, lease_token`;

/** The task that a claimed row is. */
export function claimedTask(row: ClaimedRow): ClaimedTask {
  return {
    seq: row.seq,
    project: row.project,
    id: row.id,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    attempt: row.attempts,
    maxAttempts: row.max_attempts,
    progress: row.progress === null ? null : JSON.parse(row.progress),
    token: row.lease_token,
  };
}

/** Which tasks a list shows. Empty lists are no condition. */
export interface TaskFilter {
  readonly kinds: readonly TaskKind[];
  readonly statuses: readonly TaskStatus[];
}

export function findTask(db: Reader, project: number, id: string): Promise<TaskRow | undefined> {
  return db.first<TaskRow>(
    sql`select ${COLUMNS} from tasks where project = ${project} and id = ${id}`,
  );
}

/** Newest first, before a row's number. */
export function listTasks(
  db: Reader,
  project: number,
  filter: TaskFilter,
  before: number | null,
  count: number,
): Promise<TaskRow[]> {
  const after = before === null ? empty : sql`and seq < ${before}`;
  return db.all<TaskRow>(sql`select ${COLUMNS} from tasks where project = ${project}
    ${oneOf(sql`kind`, filter.kinds)} ${oneOf(sql`status`, filter.statuses)} ${after}
    order by seq desc limit ${count}`);
}

function oneOf(column: Sql, values: readonly string[]): Sql {
  return values.length === 0 ? empty : sql`and ${column} in (${join([...values])})`;
}

/** How many tasks of a project wait, and how many have failed for good. */
export interface TaskCounts {
  readonly pending: number;
  readonly failed: number;
  readonly oldest_pending_at: string | null;
}

/**
 * Pending is what is not finished: pending, retry and processing. A task waits from its first attempt,
 * or from when it was queued: not from its creation, since an upload may take its time before.
 */
export async function countTasks(
  db: Reader,
  project: number,
  kinds: readonly TaskKind[],
): Promise<TaskCounts> {
  const counts = await db.first<TaskCounts>(sql`select
      count(*) filter (where status in ('pending', 'retry', 'processing')) as pending,
      count(*) filter (where status = 'dead') as failed,
      min(coalesce(started_at, updated_at))
        filter (where status in ('pending', 'retry', 'processing')) as oldest_pending_at
    from tasks where project = ${project} ${oneOf(sql`kind`, kinds)}
      and status in ('pending', 'retry', 'processing', 'dead')`);
  return counts!;
}
