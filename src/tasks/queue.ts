/**
 * Implements every status change of a task as its own method, fenced by the lease. The rows are the
 * only source of truth, since a worker, process or machine can disappear between any two calls.
 *
 * Rejected alternatives: a separate status for lost leases (clients would see a sixth non-terminal
 * state), and advisory locks instead of tokens (they end with the connection, not with the work).
 */

import sql, { empty, join, type Sql } from "sql-template-tag";
import { timestamp } from "../kernel/clock.ts";
import { SKIP_LOCKED } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { backoffMs, MAX_BACKOFF_MS } from "./backoff.ts";
import { errorJson, LeaseLostError, type TaskError } from "./errors.ts";
import type { ClaimedTask, Finalizer, Task, TaskHandler } from "./handler.ts";
import { HandlerRegistry } from "./handler_registry.ts";
import { LeaseReaper, type ReaperDeps } from "./reaper.ts";
import { CLAIMED_COLUMNS, type ClaimedRow, HAS_NO_INPUT, toClaimedTask } from "./repository.ts";
import {
  allowed,
  CLEAR_LEASE,
  failureAssignments,
  REDRIVE_NOOP_STATUSES,
  type TaskKind,
  type TaskStatus,
} from "./states.ts";

/**
 * How long a worker can be silent before it's considered dead, in milliseconds. Workers renew their
 * leases three times as often.
 */
export const LEASE_MS = 30_000;

/** Dependencies for the queue. */
export type QueueDeps = ReaperDeps;

/** A durable task queue. */
export class TaskQueue {
  readonly #deps: QueueDeps;
  readonly #handlers = new HandlerRegistry();
  readonly #reaper: LeaseReaper;
  /** The project whose turn was last, for each kind. Undefined if nothing was due. */
  readonly #lastProjects = new Map<TaskKind, number | undefined>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#reaper = new LeaseReaper(deps, this.#handlers);
  }

  /** Registers handlers for task kinds. Tasks of other kinds stay pending. */
  register(...handlers: readonly TaskHandler[]): void {
    this.#handlers.register(handlers);
  }

  /** Registered handlers, keyed by task kind. */
  get handlers(): ReadonlyMap<TaskKind, TaskHandler> {
    return this.#handlers.byKind;
  }

  /**
   * Claims due tasks. Projects take turns, so that the backlog of one doesn't block the others. Of a
   * project's tasks, the oldest come first.
   *
   * @param capacity maximum number of tasks per kind
   */
  async claim(capacity: ReadonlyMap<TaskKind, number>): Promise<ClaimedTask[]> {
    const isDue = this.#due();
    const claims = await this.#deps.store.write("rows", async (tx) => {
      // We read before we write: most polls don't find anything, and a read costs a tenth of a
      // change. Kinds are read at once: one round trip to a database server, or two if a kind's turn
      // wraps around.
      const due = await Promise.all(
        [...capacity].map(async ([kind, count]) =>
          [kind, await this.#nextInTurn(tx, kind, isDue, count)] as const
        ),
      );
      const claims = [];
      for (const [kind, rows] of due) {
        const seqs = rows.map(({ seq }) => seq);
        const tasks = seqs.length === 0
          ? []
          : await this.#claimWhere(tx, sql`seq in (${join(seqs)})`);
        claims.push({ kind, tasks, lastProject: rows.at(-1)?.project });
      }
      return claims;
    });
    for (const { kind, lastProject } of claims) this.#lastProjects.set(kind, lastProject);
    return claims.flatMap(({ tasks }) => tasks);
  }

  /**
   * Claims a single task, even if there are older ones of the same kind. Returns undefined if it
   * isn't due.
   */
  claimOne(project: number, id: string): Promise<ClaimedTask | undefined> {
    return this.#deps.store.write("rows", async (tx) => {
      const [claimed] = await this.#claimWhere(
        tx,
        sql`seq = (select seq from tasks where project = ${project} and id = ${id}) and
          ${this.#due()}`,
      );
      return claimed;
    });
  }

  /** Renews leases. Returns the tasks whose leases were lost. */
  async renew(tasks: readonly ClaimedTask[]): Promise<readonly ClaimedTask[]> {
    if (tasks.length === 0) return [];
    const leases = join(tasks.map((task) => sql`(${task.seq}, ${task.leaseToken})`));
    const renewed = await this.#deps.store.write(
      "rows",
      (tx) =>
        tx.all<{ seq: number; lease_token: string }>(
          sql`update tasks set lease_expires_at = ${this.#leaseEnd()}
          where (seq, lease_token) in (values ${leases}) and status = 'processing'
          returning seq, lease_token`,
        ),
    );
    return tasks.filter((task) =>
      !renewed.some((row) => row.seq === task.seq && row.lease_token === task.leaseToken)
    );
  }

  /**
   * Runs a unit of work under an attempt's lease.
   *
   * @throws LeaseLostError if the attempt no longer has the task; nothing has changed in that case
   */
  commit<T>(task: ClaimedTask, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#deps.store.write(this.#handlers.ownerOf(task), async (tx) => {
      await this.#updateLeased(tx, task, sql`lease_expires_at = ${this.#leaseEnd()}`);
      return await work(tx);
    });
  }

  /** Saves a task's progress and resets its crash count. */
  saveProgress(tx: Tx, task: ClaimedTask, progress: unknown): Promise<void> {
    return this.#updateLeased(tx, task, sql`progress = ${JSON.stringify(progress)}, crashes = 0`);
  }

  /**
   * Runs a task's last unit of work and marks the task as successful in a single transaction. This
   * also deletes the command, since we keep results but not input.
   */
  succeed(task: ClaimedTask, finalizer: Finalizer): Promise<void> {
    return this.#deps.store.write(this.#handlers.ownerOf(task), async (tx) => {
      const { result, blob = null } = await finalizer(tx);
      await this.#updateLeased(
        tx,
        task,
        sql`status = 'success', result = ${JSON.stringify(result)}, result_blob = ${blob},
          error = null, payload = '{}', progress = null, completed_at = ${this.#now()}, ${CLEAR_LEASE}`,
      );
      await this.#handlers.notify(tx, task, "success", null);
    });
  }

  /** Ends a failed attempt. If there are attempts left, the next one is due after the backoff. */
  fail(task: ClaimedTask, error: TaskError): Promise<void> {
    const { clock, random } = this.#deps;
    const final = !error.retryable || task.attempt >= task.maxAttempts;
    const wait = backoffMs(task.attempt, random, error.retryAfterMs);
    return this.#deps.store.write(this.#handlers.ownerOf(task), async (tx) => {
      const at = clock.now(), now = timestamp(at);
      await this.#updateLeased(
        tx,
        task,
        sql`${failureAssignments(final, timestamp(at + wait), now)}, crashes = 0,
          error = ${errorJson(error, task.attempt, now)}, ${CLEAR_LEASE}`,
        now,
      );
      await this.#handlers.notify(tx, task, final ? "dead" : "retry", error);
    });
  }

  /** Releases interrupted attempts. These don't count as failed. */
  async release(tasks: readonly ClaimedTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.#deps.store.write("rows", async (tx) => {
      for (const task of tasks) {
        const released = await tx.run(sql`update tasks set status = 'pending',
          attempts = attempts - 1, ${CLEAR_LEASE}, updated_at = ${this.#now()}
          where seq = ${task.seq} and lease_token = ${task.leaseToken} and ${allowed("release")}`);
        if (released > 0) await this.#handlers.notify(tx, task, "pending", null);
      }
      tx.notify("tasks");
    });
  }

  /** Reaps expired leases and returns how many there were. */
  reapExpired(): Promise<number> {
    return this.#reaper.reapExpired();
  }

  /** Reaps the leases of processes that are gone and returns how many there were. */
  reapOrphaned(): Promise<number> {
    return this.#reaper.reapOrphaned();
  }

  /**
   * Retries a task from its first attempt. Returns false if that's not possible because the task is
   * finished, cancelled, waiting for its upload or doesn't exist, or if it has no input.
   */
  async redrive(tx: Tx, project: number, id: string): Promise<boolean> {
    const [task] = await tx.all<Task>(sql`update tasks set status = 'pending',
        attempts = 0, crashes = 0, error = null, result = null, result_blob = null,
        next_attempt_at = null, started_at = null, completed_at = null, ${CLEAR_LEASE},
        updated_at = ${this.#now()}
      where project = ${project} and id = ${id} and ${allowed("redrive")}
        and not ${HAS_NO_INPUT}
      returning ${TASK_COLUMNS}`);
    if (task === undefined) {
      const found = await tx.first<{ status: TaskStatus }>(
        sql`select status from tasks where project = ${project} and id = ${id}`,
      );
      return found !== undefined && REDRIVE_NOOP_STATUSES.includes(found.status);
    }
    tx.notify("tasks");
    await this.#handlers.notify(tx, task, "pending", null);
    return true;
  }

  /** Makes a task's next attempt due immediately. */
  async retryNow(tx: Tx, project: number, id: string): Promise<void> {
    await tx.run(sql`update tasks set next_attempt_at = ${this.#now()}
      where project = ${project} and id = ${id} and status = 'retry'`);
    tx.notify("tasks");
  }

  /**
   * Cancels a task no longer needed. Returns false if it's running, finished or doesn't exist.
   *
   * @param from the only status to cancel it from. Defaults to all that allow it
   */
  async cancel(tx: Tx, project: number, id: string, from?: TaskStatus): Promise<boolean> {
    const expected = from === undefined ? empty : sql`and status = ${from}`;
    const [task] = await tx.all<Task>(
      sql`update tasks set status = 'cancelled', payload = '{}', next_attempt_at = null,
        completed_at = ${this.#now()}, updated_at = ${this.#now()}
      where project = ${project} and id = ${id} and ${allowed("cancel")} ${expected}
      returning ${TASK_COLUMNS}`,
    );
    if (task === undefined) return false;
    await this.#handlers.notify(tx, task, "cancelled", null);
    return true;
  }

  /** Returns due tasks, beginning with the project after the one whose turn was last. */
  async #nextInTurn(tx: Tx, kind: TaskKind, isDue: Sql, count: number): Promise<DueRow[]> {
    const last = this.#lastProjects.get(kind);
    const find = (projects: Sql, limit: number) =>
      tx.all<DueRow>(sql`select seq, project from tasks
        where kind = ${kind} and ${projects} ${isDue}
        order by project, seq limit ${limit} ${SKIP_LOCKED}`);
    if (last === undefined) return await find(empty, count);
    const later = await find(sql`project > ${last} and`, count);
    if (later.length === count) return later;
    return [...later, ...await find(sql`project <= ${last} and`, count - later.length)];
  }

  async #claimWhere(tx: Tx, condition: Sql): Promise<ClaimedTask[]> {
    const rows = await tx.all<ClaimedRow>(sql`update tasks set status = 'processing',
        attempts = attempts + 1, lease_token = ${this.#token()},
        lease_expires_at = ${this.#leaseEnd()}, boot_id = ${this.#deps.bootId},
        next_attempt_at = null, started_at = coalesce(started_at, ${this.#now()}),
        updated_at = ${this.#now()}
      where ${condition} returning ${CLAIMED_COLUMNS}`);
    const tasks = rows.map(toClaimedTask).sort((a, b) => a.seq - b.seq);
    for (const task of tasks) await this.#handlers.notify(tx, task, "processing", null);
    return tasks;
  }

  /**
   * Returns the condition for a task to be due. No delay is as long as twice the longest backoff, so
   * a later time is from when the clock was ahead.
   */
  #due(): Sql {
    const tooLate = timestamp(this.#deps.clock.now() + 2 * MAX_BACKOFF_MS);
    return sql`${allowed("claim")} and (next_attempt_at is null
      or next_attempt_at <= ${this.#now()} or next_attempt_at > ${tooLate})`;
  }

  async #updateLeased(
    tx: Tx,
    task: ClaimedTask,
    assignments: Sql,
    now: string = this.#now(),
  ): Promise<void> {
    const updated = await tx.run(sql`update tasks set ${assignments}, updated_at = ${now}
      where seq = ${task.seq} and lease_token = ${task.leaseToken} and status = 'processing'`);
    if (updated === 0) throw new LeaseLostError(task.id);
  }

  /** Returns a token with 128 random bits, unique to an attempt. */
  #token(): string {
    const word = () => Math.floor(this.#deps.random() * 2 ** 32);
    return Array.from({ length: 4 }, () => word().toString(16).padStart(8, "0")).join("");
  }

  #leaseEnd(): string {
    return timestamp(this.#deps.clock.now() + LEASE_MS);
  }

  #now(): string {
    return timestamp(this.#deps.clock.now());
  }
}

interface DueRow {
  readonly seq: number;
  readonly project: number;
}

/** Columns of a Task. */
const TASK_COLUMNS = sql`project, id, kind, payload`;
