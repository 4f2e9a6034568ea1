/**
 * Implements every status change of a task as its own method, fenced by the lease. The rows are the
 * only source of truth, since a worker, process or machine can disappear between any two calls.
 *
 * Rejected alternatives: a separate status for lost leases (clients would see a sixth non-terminal
 * state), and advisory locks instead of tokens (they end with the connection, not with the work).
 */

import sql, { empty, join, type Sql } from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Random } from "../kernel/ids.ts";
import { SKIP_LOCKED, texts } from "../store/sql.ts";
import type { Owner, Store, Tx } from "../store/store.ts";
import { backoffMs } from "./backoff.ts";
import { LeaseLostError, TaskError } from "./errors.ts";
import type { ClaimedTask, Finalizer, Task, TaskHandler } from "./handler.ts";
import { CLAIMED_COLUMNS, type ClaimedRow, HAS_NO_INPUT, toClaimedTask } from "./repository.ts";
import {
  allowed,
  REDRIVE_NOOP_STATUSES,
  TASK_KINDS,
  type TaskKind,
  type TaskStatus,
} from "./states.ts";

/**
 * How long a worker can be silent before it's considered dead, in milliseconds. Workers renew their
 * leases three times as often.
 */
export const LEASE_MS = 30_000;

/**
 * Number of leases that can be lost in a row, without progress, before we blame the task itself.
 */
export const MAX_CRASHES = 3;

/** Dependencies for the queue. */
export interface QueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Id of this particular start of the process. After a restart, leases with a different id have no
   * owner.
   */
  readonly bootId: string;
  /**
   * Returns those of the given starts whose processes are gone. Defaults to all others than this
   * one.
   */
  readonly goneAmong?: ((boots: readonly string[]) => Promise<readonly string[]>) | undefined;
}

/** A durable task queue. */
export class TaskQueue {
  readonly #deps: QueueDeps;
  readonly #handlers = new Map<TaskKind, TaskHandler>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** Registers handlers for task kinds. Tasks of other kinds stay pending. */
  register(...handlers: readonly TaskHandler[]): void {
    for (const handler of handlers) this.#handlers.set(handler.kind, handler);
  }

  /** Registered handlers, keyed by task kind. */
  get handlers(): ReadonlyMap<TaskKind, TaskHandler> {
    return this.#handlers;
  }

  /**
   * Claims due tasks, oldest first.
   *
   * @param capacity maximum number of tasks per kind
   */
  claim(capacity: ReadonlyMap<TaskKind, number>): Promise<ClaimedTask[]> {
    return this.#deps.store.write("rows", async (tx) => {
      // We read before we write: most polls don't find anything, and a read costs a tenth of a
      // change. Read at once, which takes one round trip to a database server.
      const due = await Promise.all(
        [...capacity].map(([kind, count]) =>
          tx.all<{ seq: number }>(sql`select seq from tasks
            where kind = ${kind} and ${this.#due()} order by seq limit ${count} ${SKIP_LOCKED}`)
        ),
      );
      const claimed: ClaimedTask[] = [];
      for (const rows of due) {
        if (rows.length === 0) continue;
        const condition = sql`seq in (${join(rows.map(({ seq }) => seq))})`;
        claimed.push(...await this.#claimWhere(tx, condition));
      }
      return claimed;
    });
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
    return this.#deps.store.write(this.#ownerOf(task), async (tx) => {
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
    return this.#deps.store.write(this.#ownerOf(task), async (tx) => {
      const { result, blob = null } = await finalizer(tx);
      await this.#updateLeased(
        tx,
        task,
        sql`status = 'success', result = ${JSON.stringify(result)}, result_blob = ${blob},
          error = null, payload = '{}', progress = null, completed_at = ${this.#now()}, ${CLEAR_LEASE}`,
      );
      await this.#notifyHandler(tx, task, "success", null);
    });
  }

  /** Ends a failed attempt. If there are attempts left, the next one is due after the backoff. */
  fail(task: ClaimedTask, error: TaskError): Promise<void> {
    const { clock, random } = this.#deps;
    const final = !error.retryable || task.attempt >= task.maxAttempts;
    const wait = backoffMs(task.attempt, random, error.retryAfterMs);
    return this.#deps.store.write(this.#ownerOf(task), async (tx) => {
      const at = clock.now(), now = timestamp(at);
      await this.#updateLeased(
        tx,
        task,
        sql`${failureAssignments(final, timestamp(at + wait), now)}, crashes = 0,
          error = ${this.#errorJson(error, task.attempt)}, ${CLEAR_LEASE}`,
        now,
      );
      await this.#notifyHandler(tx, task, final ? "dead" : "retry", error);
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
        if (released > 0) await this.#notifyHandler(tx, task, "pending", null);
      }
      tx.notify("tasks");
    });
  }

  /** Reaps expired leases and returns how many there were. */
  reapExpired(): Promise<number> {
    return this.#reap(sql`lease_expires_at < ${this.#now()}`);
  }

  /** Reaps the leases of processes that are gone and returns how many there were. */
  async reapOrphaned(): Promise<number> {
    const { store, bootId, goneAmong } = this.#deps;
    const isOther = sql`boot_id <> ${bootId}`;
    if (goneAmong === undefined) return await this.#reap(isOther);
    const leased = await store.read((db) =>
      db.all<{ boot_id: string }>(
        sql`select distinct boot_id from tasks where ${allowed("lose")} and ${isOther}`,
      )
    );
    const gone = await goneAmong(leased.map(({ boot_id }) => boot_id));
    return gone.length === 0 ? 0 : await this.#reap(sql`boot_id in ${texts(gone)}`);
  }

  /**
   * Retries a task from its first attempt. Returns false if that's not possible because the task is
   * finished, cancelled, waiting for its upload or doesn't exist, or if it has no input.
   */
  async redrive(tx: Tx, project: number, id: string): Promise<boolean> {
    const [task] = await tx.all<TaskRefRow>(sql`update tasks set status = 'pending',
        attempts = 0, crashes = 0, error = null, result = null, result_blob = null,
        next_attempt_at = null, started_at = null, completed_at = null, ${CLEAR_LEASE},
        updated_at = ${this.#now()}
      where project = ${project} and id = ${id} and ${allowed("redrive")}
        and not ${HAS_NO_INPUT}
      returning ${TASK_REF_COLUMNS}`);
    if (task === undefined) {
      const found = await tx.first<{ status: TaskStatus }>(
        sql`select status from tasks where project = ${project} and id = ${id}`,
      );
      return found !== undefined && REDRIVE_NOOP_STATUSES.includes(found.status);
    }
    tx.notify("tasks");
    await this.#notifyHandler(tx, toTask(task), "pending", null);
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
    const [task] = await tx.all<TaskRefRow>(
      sql`update tasks set status = 'cancelled', payload = '{}', next_attempt_at = null,
        completed_at = ${this.#now()}, updated_at = ${this.#now()}
      where project = ${project} and id = ${id} and ${allowed("cancel")} ${expected}
      returning ${TASK_REF_COLUMNS}`,
    );
    if (task === undefined) return false;
    await this.#notifyHandler(tx, toTask(task), "cancelled", null);
    return true;
  }

  async #claimWhere(tx: Tx, condition: Sql): Promise<ClaimedTask[]> {
    const rows = await tx.all<ClaimedRow>(sql`update tasks set status = 'processing',
        attempts = attempts + 1, lease_token = ${this.#token()},
        lease_expires_at = ${this.#leaseEnd()}, boot_id = ${this.#deps.bootId},
        next_attempt_at = null, started_at = coalesce(started_at, ${this.#now()}),
        updated_at = ${this.#now()}
      where ${condition} returning ${CLAIMED_COLUMNS}`);
    const tasks = rows.map(toClaimedTask).sort((a, b) => a.seq - b.seq);
    for (const task of tasks) await this.#notifyHandler(tx, task, "processing", null);
    return tasks;
  }

  #due(): Sql {
    return sql`${allowed("claim")} and
      (next_attempt_at is null or next_attempt_at <= ${this.#now()})`;
  }

  /**
   * Counts each lost lease as a failed attempt. The next attempt, if any are left, is due
   * immediately. During an upgrade, tasks of kinds that only the newer version knows are left to it:
   * its handlers keep records in sync with them.
   */
  async #reap(condition: Sql): Promise<number> {
    const isLost = sql`${allowed("lose")} and ${condition} and kind in ${texts(TASK_KINDS)}`;
    const lost = await this.#deps.store.read((db) =>
      db.all<ClaimedRow>(sql`select ${CLAIMED_COLUMNS} from tasks where ${isLost}`)
    );
    // Handlers can write to the journal. Only the units of a project commit its entries in order.
    const reaped = await Promise.all(lost.map((row) =>
      this.#deps.store.write(
        this.#ownerOf(toClaimedTask(row)),
        (tx) => this.#reapOne(tx, sql`seq = ${row.seq} and ${isLost}`),
      )
    ));
    return reaped.filter(Boolean).length;
  }

  /** Returns false if the task has changed since it was selected. */
  async #reapOne(tx: Tx, condition: Sql): Promise<boolean> {
    const row = await tx.first<ClaimedRow & { crashes: number }>(
      sql`select ${CLAIMED_COLUMNS}, crashes from tasks where ${condition}`,
    );
    if (row === undefined) return false;
    const crashes = row.crashes + 1;
    const exhausted = row.attempts >= row.max_attempts;
    const error = exhausted ? deliveryExhausted() : workerLost(crashes);
    const final = exhausted || crashes >= MAX_CRASHES;
    const changed = await tx.run(
      sql`update tasks set ${failureAssignments(final, this.#now(), this.#now())},
        crashes = ${crashes}, error = ${this.#errorJson(error, row.attempts)}, ${CLEAR_LEASE},
        updated_at = ${this.#now()}
      where ${condition}`,
    );
    // Leases are renewed, and tasks claimed, in units that don't wait for this one.
    if (changed === 0) return false;
    await this.#notifyHandler(tx, toClaimedTask(row), final ? "dead" : "retry", error);
    tx.notify("tasks");
    return true;
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

  #ownerOf(task: Task): Owner {
    return this.#handlers.get(task.kind)?.owner?.(task) ?? task.project;
  }

  async #notifyHandler(
    tx: Tx,
    task: Task,
    status: TaskStatus,
    error: TaskError | null,
  ): Promise<void> {
    await this.#handlers.get(task.kind)?.onStatusChange?.(tx, task, status, error);
  }

  #errorJson(error: TaskError, attempt: number): string {
    const { code, message, retryable } = error;
    return JSON.stringify({ code, message, retryable, attempt, occurred_at: this.#now() });
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

const CLEAR_LEASE = sql`lease_token = null, lease_expires_at = null, boot_id = null`;

/** The columns needed to change the status of an unclaimed task. */
const TASK_REF_COLUMNS = sql`project, id, kind, payload`;

type TaskRefRow = Omit<Task, "payload"> & { readonly payload: string };

function toTask(row: TaskRefRow): Task {
  return { ...row, payload: JSON.parse(row.payload) };
}

function failureAssignments(final: boolean, nextAttemptAt: string, now: string): Sql {
  return final
    ? sql`status = 'dead', next_attempt_at = null, completed_at = ${now}`
    : sql`status = 'retry', next_attempt_at = ${nextAttemptAt}`;
}

/** Creates the error for a task no worker could finish. The error code is part of the API. */
function deliveryExhausted(): TaskError {
  return new TaskError(
    "task_queue_delivery_exhausted",
    "The worker exited during the last attempt; retry the operation",
  );
}

function workerLost(crashes: number): TaskError {
  return new TaskError(
    "LEASE_LOST",
    crashes < MAX_CRASHES
      ? "The worker exited before the task was finished"
      : `The worker exited before the task was finished, ${crashes} times in a row`,
  );
}
