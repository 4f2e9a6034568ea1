/** SQL queries that read tasks. */

import sql, { empty, join, type Sql } from "sql-template-tag";
import type { Position } from "../kernel/http/cursor.ts";
import { rowNumber, texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { ClaimedTask } from "./handler.ts";
import { TASK_KINDS, TASK_STATUSES, type TaskKind, type TaskStatus } from "./states.ts";

/** A row of `tasks` without the command. Structured fields are JSON text. */
export interface TaskRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: TaskKind;
  readonly status: TaskStatus;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly scope: string;
  readonly result: string | null;
  /** Blob with the complete result, if the row has only a summary. */
  readonly result_blob: string | null;
  readonly error: string | null;
  /** Progress of a task that counts its records, until it has succeeded. */
  readonly progress: string | null;
  readonly next_attempt_at: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Columns of a TaskRow. */
export const COLUMNS =
  sql`seq, id, kind, status, attempts, max_attempts, scope, result, result_blob, error,
  case kind when 'import_file' then progress end as progress, next_attempt_at, started_at, completed_at, created_at, updated_at`;

/** A row of `tasks` as claimed by a worker. */
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

/** Columns of a ClaimedRow. */
export const CLAIMED_COLUMNS = sql`seq, project, id, kind, attempts, max_attempts, payload,
  progress, lease_token`;

/** Converts a claimed row to a task. */
export function toClaimedTask(row: ClaimedRow): ClaimedTask {
  return {
    seq: row.seq,
    project: row.project,
    id: row.id,
    kind: row.kind,
    payload: row.payload,
    attempt: row.attempts,
    maxAttempts: row.max_attempts,
    progress: row.progress,
    leaseToken: row.lease_token,
  };
}

/**
 * Inserts a task that already ended elsewhere.
 *
 * @param seq row number; defaults to the next one
 */
export async function insertFinishedTask(
  tx: Tx,
  project: number,
  row: Omit<TaskRow, "seq" | "result_blob" | "progress" | "next_attempt_at">,
  seq: number | null = null,
): Promise<void> {
  await tx.run(sql`insert into tasks
    (seq, project, id, kind, status, attempts, max_attempts, payload, scope, result, error,
     started_at, completed_at, created_at, updated_at)
    values (${rowNumber(seq)}, ${project}, ${row.id}, ${row.kind}, ${row.status}, ${row.attempts},
     ${row.max_attempts}, '{}', ${row.scope}, ${row.result}, ${row.error}, ${row.started_at},
     ${row.completed_at}, ${row.created_at}, ${row.updated_at})`);
}

/** Condition of a task that can't run again. Snapshots don't contain the messages of adds. */
export const HAS_NO_INPUT = sql`(kind = 'memory_infer' and payload = '{}')`;

/** Task list filter. An empty list matches everything. */
export interface TaskFilter {
  readonly kinds: readonly TaskKind[];
  readonly statuses: readonly TaskStatus[];
}

/** Returns a task, or undefined if it isn't in the project. */
export function findTask(db: Reader, project: number, id: string): Promise<TaskRow | undefined> {
  return db.first<TaskRow>(
    sql`select ${COLUMNS} from tasks where project = ${project} and id = ${id}`,
  );
}

/** Returns those of the given ids that are tasks in the project. */
export async function existingTasks(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ id: string }>(
    sql`select id from tasks where project = ${project} and id in ${texts(ids)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns tasks, newest first. */
export function listTasks(
  db: Reader,
  project: number,
  filter: TaskFilter,
  after: Position | null,
  count: number,
): Promise<TaskRow[]> {
  return newestTasks(db, project, filter, { after, limit: count });
}

/** Returns a page of tasks of one kind by its offset, newest first, with the number of all of them. */
export async function tasksAt(
  db: Reader,
  project: number,
  kind: TaskKind,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly results: TaskRow[]; readonly count: number }> {
  const total = await db.first<{ count: number }>(
    sql`select count(*) as count from tasks where project = ${project} and kind = ${kind}`,
  );
  const results = await newestTasks(db, project, { kinds: [kind], statuses: [] }, page);
  return { results, count: total!.count };
}

/** Where a page of tasks begins, and its length. */
interface TaskPage {
  readonly after?: Position | null;
  readonly offset?: number;
  readonly limit: number;
}

/** An order of tasks. */
interface TaskOrder {
  readonly by: Sql;
  /** Compares a task that comes later with one that comes before. */
  readonly later: Sql;
}

const NEWEST_FIRST: TaskOrder = {
  by: sql`order by created_at desc, id desc`,
  later: sql`<`,
};

const OLDEST_FIRST: TaskOrder = { by: sql`order by created_at, id`, later: sql`>` };

function newestTasks(
  db: Reader,
  project: number,
  filter: TaskFilter,
  page: TaskPage,
): Promise<TaskRow[]> {
  return db.all<TaskRow>(
    sql`select ${COLUMNS} from tasks ${onPage(project, filter, page, NEWEST_FIRST)}`,
  );
}

/**
 * Returns the condition and order for a page of tasks. Each combination of kind and state has its own
 * index range, so we merge the first rows of each. This way, the cost depends on the end of the page
 * rather than the number of tasks.
 */
function onPage(
  project: number,
  filter: TaskFilter,
  { after = null, offset = 0, limit }: TaskPage,
  { by, later }: TaskOrder,
): Sql {
  const kinds = filter.kinds.length === 0 ? TASK_KINDS : filter.kinds;
  const statuses = filter.statuses.length === 0 ? TASK_STATUSES : filter.statuses;
  const next = after === null
    ? empty
    : sql`and (created_at, id) ${later} (${after[0]}, ${after[1]})`;
  const heads = kinds.flatMap((kind) =>
    statuses.map((status) =>
      sql`select * from (select seq, created_at, id from tasks where project = ${project}
        and kind = ${kind} and status = ${status} ${next} ${by}
        limit ${offset + limit}) as head`
    )
  );
  // The plus sign makes SQLite use row numbers rather than an index on the project.
  return sql`where +project = ${project} and seq in
    (select seq from (${join(heads, " union all ")}) as heads ${by}
      limit ${limit} offset ${offset}) ${by}`;
}

/** States of tasks that are still to be done. */
const UNFINISHED_STATUSES = ["pending", "retry", "processing"] as const;

/** Number of tasks to read first in search of the one that has been waiting longest. */
const FIRST_BATCH_TASKS = 50;

/** How many times as many each further batch has, so that there are few. */
const BATCH_GROWTH = 10;

function inCondition(column: Sql, values: readonly string[]): Sql {
  return values.length === 0 ? empty : sql`and ${column} in (${join([...values])})`;
}

/** How many of a project's tasks are unfinished, and how many have failed for good. */
export interface TaskCounts {
  readonly pending: number;
  readonly failed: number;
  readonly oldest_pending_at: string | null;
}

/**
 * Counts a project's tasks. Unfinished ones (pending, retry or processing) count as pending. Their
 * age is measured from the first attempt or from when they were queued rather than from creation,
 * since an upload can take a while before that.
 */
export async function countTasks(
  db: Reader,
  project: number,
  kinds: readonly TaskKind[],
): Promise<TaskCounts> {
  const ofKinds = sql`from tasks where project = ${project} ${inCondition(sql`kind`, kinds)}`;
  // The counts need only the index. Unfinished and failed tasks can be many.
  const counts = await db.first<Omit<TaskCounts, "oldest_pending_at">>(sql`select
      (select count(*) ${ofKinds} and status in (${join(UNFINISHED_STATUSES)})) as pending,
      (select count(*) ${ofKinds} and status = 'dead') as failed`);
  const oldest = counts!.pending === 0 ? null : await oldestUnfinished(db, project, kinds);
  return { ...counts!, oldest_pending_at: oldest };
}

/**
 * Returns since when the oldest unfinished task has been waiting. Reads tasks in the order of
 * creation, until those that follow were created later than that. This is after the first batch,
 * unless that many have been queued again since they were created.
 */
async function oldestUnfinished(
  db: Reader,
  project: number,
  kinds: readonly TaskKind[],
): Promise<string | null> {
  let oldest: string | null = null;
  let after: TaskPage["after"] = null;
  for (let limit = FIRST_BATCH_TASKS;; limit *= BATCH_GROWTH) {
    const page: TaskPage = { after, limit };
    const rows: readonly WaitingTask[] = await db.all<WaitingTask>(sql`
      select created_at, id, coalesce(started_at, updated_at) as since from tasks
      ${onPage(project, { kinds, statuses: UNFINISHED_STATUSES }, page, OLDEST_FIRST)}`);
    for (const { since } of rows) if (oldest === null || since < oldest) oldest = since;
    const last = rows.at(-1);
    if (rows.length < limit || last!.created_at >= oldest!) return oldest;
    after = [last!.created_at, last!.id];
  }
}

interface WaitingTask {
  readonly created_at: string;
  readonly id: string;
  readonly since: string;
}

/** Returns the projects with unfinished tasks as 1, and those with failed tasks as 2. */
export async function rankUnfinished(db: Reader): Promise<Map<number, number>> {
  // The conditions on kind and lease_expires_at make SQLite use the partial indexes. Failed tasks
  // have an error.
  const rows = await db.all<{ project: number; rank: number }>(sql`select project, max(n) as rank
    from (select project, 1 as n from tasks where kind > '' and status in ('pending', 'retry')
      union all select project, 1 from tasks
        where lease_expires_at > '' and status in ('processing')
      union all select project, 2 from tasks where error is not null and status = 'dead') as ranked
    group by project`);
  return new Map(rows.map(({ project, rank }) => [project, rank]));
}

/**
 * Returns how many of a project's tasks have had a failed attempt since a given instant. Tasks keep
 * their last error.
 */
export async function countWarnings(db: Reader, project: number, since: string): Promise<number> {
  const row = await db.first<{ n: number }>(sql`select count(*) as n from tasks
    where project = ${project} and error is not null and updated_at > ${since}`);
  return row!.n;
}
