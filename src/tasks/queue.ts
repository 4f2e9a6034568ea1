/**
 * Every change of a task's status, one method each, fenced by the lease. The rows are the truth:
 * a worker, a process or a machine can vanish between any two calls.
 *
 * Not taken: a status of its own for lost leases (a client would see a sixth non-terminal state),
 * and advisory locks instead of tokens (they vanish with the connection, not with the work).
 */

import sql, { join, type Sql } from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Random } from "../kernel/ids.ts";
import type { Store, Tx } from "../store/store.ts";
import { backoffMs } from "./backoff.ts";
import { LeaseLostError, TaskError } from "./errors.ts";
import type { ClaimedTask, Finalizer, Task, TaskHandler } from "./handler.ts";
import { CLAIMED_COLUMNS, type ClaimedRow, toClaimedTask } from "./repository.ts";
import { allowed, REDRIVE_NOOP_STATUSES, type TaskKind, type TaskStatus } from "./states.ts";

/** How long a silent worker is believed to be alive. It renews its lease three times as often. */
export const LEASE_MS = 30_000;

/** Leases lost in a row, without a step of progress between, that show the task to be the cause. */
export const MAX_CRASHES = 3;

/** What the queue stands on. */
export interface QueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** This start of this process: leases of any other start at boot belong to nobody. */
  readonly bootId: string;
}

/** The durable queue. */
export class TaskQueue {
  readonly #appContext: QueueDeps;
  readonly #handlers = new Map<TaskKind, TaskHandler>();

  constructor(appContext: QueueDeps) {
    this.#appContext = appContext;
  }

  /** Has the tasks of a kind done by this handler. A kind without one stays pending. */
  register(...handlers: readonly TaskHandler[]): void {
    for (const handler of handlers) this.#handlers.set(handler.kind, handler);
  }

  get handlers(): ReadonlyMap<TaskKind, TaskHandler> {
    return this.#handlers;
  }

  /** Takes tasks that are due, the oldest first, at most so many of each kind. */
  claim(capacity: ReadonlyMap<TaskKind, number>): Promise<ClaimedTask[]> {
    return this.#appContext.store.write(async (tx) => {
      const claimed: ClaimedTask[] = [];
      for (const [kind, count] of capacity) claimed.push(...await this.#claimKind(tx, kind, count));
      return claimed;
    });
  }

  /** Takes one task, wherever it stands in its kind; undefined when it isn't due. */
  claimOne(project: number, id: string): Promise<ClaimedTask | undefined> {
    return this.#appContext.store.write(async (tx) => {
      const [claimed] = await this.#claimWhere(
        tx,
        sql`seq = (select seq from tasks where project = ${project} and id = ${id}) and
          ${this.#due()}`,
      );
      return claimed;
    });
  }

  /** Keeps leases for another while; answers the tasks whose leases are lost. */
  async renew(tasks: readonly ClaimedTask[]): Promise<readonly ClaimedTask[]> {
    if (tasks.length === 0) return [];
    const held = join(tasks.map((task) => sql`(${task.seq}, ${task.leaseToken})`));
    const kept = await this.#appContext.store.write((tx) =>
      tx.all<{ seq: number; lease_token: string }>(
        sql`update tasks set lease_expires_at = ${this.#leaseEnd()}
          where (seq, lease_token) in (values ${held}) and status = 'processing'
          returning seq, lease_token`,
      )
    );
    return tasks.filter((task) =>
      !kept.some((row) => row.seq === task.seq && row.lease_token === task.leaseToken)
    );
  }

  /** @throws LeaseLostError when the task isn't this attempt's any more; nothing was changed then */
  commit<T>(task: ClaimedTask, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#appContext.store.write(async (tx) => {
      await this.#updateLeased(tx, task, sql`lease_expires_at = ${this.#leaseEnd()}`);
      return await work(tx);
    });
  }

  /** A step of progress also clears the task of the suspicion that it kills its workers. */
  saveProgress(tx: Tx, task: ClaimedTask, progress: unknown): Promise<void> {
    return this.#updateLeased(tx, task, sql`progress = ${JSON.stringify(progress)}, crashes = 0`);
  }

  /**
   * The last step of a task and its success, in one unit of work. The command goes with it: what
   * was made of the input is kept, the input is not.
   */
  succeed(task: ClaimedTask, finalizer: Finalizer): Promise<void> {
    return this.#appContext.store.write(async (tx) => {
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

  /** Ends an attempt that failed: the next one is due after its backoff, if there is one. */
  fail(task: ClaimedTask, error: TaskError): Promise<void> {
    const { clock, random } = this.#appContext;
    const final = !error.retryable || task.attempt >= task.maxAttempts;
    const wait = backoffMs(task.attempt, random, error.retryAfterMs);
    return this.#appContext.store.write(async (tx) => {
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

  /** Gives attempts back that were not finished through no fault of their own. */
  async release(tasks: readonly ClaimedTask[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.#appContext.store.write(async (tx) => {
      for (const task of tasks) {
        const released = await tx.run(sql`update tasks set status = 'pending',
          attempts = attempts - 1, ${CLEAR_LEASE}, updated_at = ${this.#now()}
          where seq = ${task.seq} and lease_token = ${task.leaseToken} and ${allowed("release")}`);
        if (released > 0) await this.#notifyHandler(tx, task, "pending", null);
      }
      tx.notify("tasks");
    });
  }

  /** Takes back leases that have run out; answers how many. */
  reapExpired(): Promise<number> {
    return this.#reap(sql`lease_expires_at < ${this.#now()}`);
  }

  /** Takes back every lease that another start of the server has left behind. */
  reapOrphaned(): Promise<number> {
    return this.#reap(sql`boot_id <> ${this.#appContext.bootId}`);
  }

  /**
   * Has a task tried again from its first attempt. False when it can't be: it is finished,
   * cancelled, waits for its bytes, or isn't there.
   */
  async redrive(tx: Tx, project: number, id: string): Promise<boolean> {
    const [task] = await tx.all<TaskRefRow>(sql`update tasks set status = 'pending',
        attempts = 0, crashes = 0, error = null, result = null, result_blob = null,
        next_attempt_at = null, started_at = null, completed_at = null, ${CLEAR_LEASE},
        updated_at = ${this.#now()}
      where project = ${project} and id = ${id} and ${allowed("redrive")}
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

  /** Makes the next attempt of a task due now. */
  async retryNow(tx: Tx, project: number, id: string): Promise<void> {
    await tx.run(sql`update tasks set next_attempt_at = ${this.#now()}
      where project = ${project} and id = ${id} and status = 'retry'`);
    tx.notify("tasks");
  }

  /** Takes a task out of the queue whose reason is gone; false when it runs, has run, or isn't. */
  async cancel(tx: Tx, project: number, id: string): Promise<boolean> {
    const [task] = await tx.all<TaskRefRow>(
      sql`update tasks set status = 'cancelled', payload = '{}', next_attempt_at = null,
        completed_at = ${this.#now()}, updated_at = ${this.#now()}
      where project = ${project} and id = ${id} and ${allowed("cancel")}
      returning ${TASK_REF_COLUMNS}`,
    );
    if (task === undefined) return false;
    await this.#notifyHandler(tx, toTask(task), "cancelled", null);
    return true;
  }

  /** Looks before it writes: most pickups find nothing, and a look costs a tenth of a change. */
  async #claimKind(tx: Tx, kind: TaskKind, count: number): Promise<ClaimedTask[]> {
    const due = await tx.all<{ seq: number }>(sql`select seq from tasks
      where kind = ${kind} and ${this.#due()} order by seq limit ${count}`);
    if (due.length === 0) return [];
    return await this.#claimWhere(tx, sql`seq in (${join(due.map(({ seq }) => seq))})`);
  }

  async #claimWhere(tx: Tx, which: Sql): Promise<ClaimedTask[]> {
    const rows = await tx.all<ClaimedRow>(sql`update tasks set status = 'processing',
        attempts = attempts + 1, lease_token = ${this.#token()},
        lease_expires_at = ${this.#leaseEnd()}, boot_id = ${this.#appContext.bootId},
        next_attempt_at = null, started_at = coalesce(started_at, ${this.#now()}),
        updated_at = ${this.#now()}
      where ${which} returning ${CLAIMED_COLUMNS}`);
    const tasks = rows.map(toClaimedTask).sort((a, b) => a.seq - b.seq);
    for (const task of tasks) await this.#notifyHandler(tx, task, "processing", null);
    return tasks;
  }

  #due(): Sql {
    return sql`${allowed("claim")} and
      (next_attempt_at is null or next_attempt_at <= ${this.#now()})`;
  }

  /** A lost lease is a failed attempt; the next one follows at once, unless this was the last. */
  #reap(which: Sql): Promise<number> {
    return this.#appContext.store.write(async (tx) => {
      const rows = await tx.all<ClaimedRow & { crashes: number }>(
        sql`select ${CLAIMED_COLUMNS}, crashes from tasks where ${allowed("lose")} and ${which}`,
      );
      for (const row of rows) {
        const crashes = row.crashes + 1;
        const exhausted = row.attempts >= row.max_attempts;
        const error = exhausted ? deliveryExhausted() : workerLost(crashes);
        const final = exhausted || crashes >= MAX_CRASHES;
        await tx.run(sql`update tasks set ${failureAssignments(final, this.#now(), this.#now())},
            crashes = ${crashes}, error = ${this.#errorJson(error, row.attempts)}, ${CLEAR_LEASE},
            updated_at = ${this.#now()}
          where seq = ${row.seq}`);
        await this.#notifyHandler(tx, toClaimedTask(row), final ? "dead" : "retry", error);
      }
      if (rows.length > 0) tx.notify("tasks");
      return rows.length;
    });
  }

  async #updateLeased(
    tx: Tx,
    task: ClaimedTask,
    assignments: Sql,
    now: string = this.#now(),
  ): Promise<void> {
    const written = await tx.run(sql`update tasks set ${assignments}, updated_at = ${now}
      where seq = ${task.seq} and lease_token = ${task.leaseToken} and status = 'processing'`);
    if (written === 0) throw new LeaseLostError(task.id);
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

  /** 128 random bits: no other attempt has them. */
  #token(): string {
    const word = () => Math.floor(this.#appContext.random() * 2 ** 32);
    return Array.from({ length: 4 }, () => word().toString(16).padStart(8, "0")).join("");
  }

  #leaseEnd(): string {
    return timestamp(this.#appContext.clock.now() + LEASE_MS);
  }

  #now(): string {
    return timestamp(this.#appContext.clock.now());
  }
}

const CLEAR_LEASE = sql`lease_token = null, lease_expires_at = null, boot_id = null`;

/** What a change of status has to know of a task that nobody holds. */
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

/** The interface's name for work that no worker could be made to finish. */
function deliveryExhausted(): TaskError {
  return new TaskError(
    "task_queue_delivery_exhausted",
    "The last attempt ended with its worker; retry the operation",
  );
}

function workerLost(crashes: number): TaskError {
  return new TaskError(
    "LEASE_LOST",
    crashes < MAX_CRASHES
      ? "The worker ended before the task did"
      : `The worker ended before the task did, ${crashes} times in a row`,
  );
}
