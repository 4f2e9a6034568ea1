/**
 * Claims due tasks and runs them in this process, up to a limit for each kind. Notifications only
 * shorten the wait: the runner also polls every second, in case there was none for a task.
 */

import type { Clock } from "../kernel/clock.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Timers } from "../kernel/timers.ts";
import { delay } from "../kernel/timers.ts";
import type { Store } from "../store/store.ts";
import { Attempt } from "./attempt.ts";
import { StoppingError } from "./errors.ts";
import type { ClaimedTask } from "./handler.ts";
import { LEASE_MS, type TaskQueue } from "./queue.ts";
import type { TaskKind } from "./states.ts";

/** How often to poll the queue without notifications, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** How often leases are renewed and expired ones reaped, in milliseconds. */
const HEARTBEAT_INTERVAL_MS = LEASE_MS / 3;

/** How long in-flight tasks have to finish when the process stops, in milliseconds. */
const DRAIN_TIMEOUT_MS = 8_000;

/** How long an aborted task has to end before its lease is released anyway, in milliseconds. */
const ABORT_TIMEOUT_MS = 500;

/** Dependencies for a runner. */
export interface RunnerDeps {
  readonly queue: TaskQueue;
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Runs tasks until it is stopped. */
export class TaskRunner {
  readonly #deps: RunnerDeps;
  readonly #running = new Set<Attempt>();
  #state: "new" | "running" | "stopping" | "stopped" = "new";
  /** The poll in progress. */
  #polling: Promise<void> | null = null;
  #pollAgain = false;
  #cancelPoll = () => {};
  #cancelHeartbeat = () => {};
  #stopListening = () => {};

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Reaps leases of processes that are gone, then begins running tasks. */
  async start(): Promise<void> {
    const lost = await this.#deps.queue.reapOrphaned();
    if (lost > 0) this.#deps.log.warn("tasks of an earlier start recovered", { tasks: lost });
    this.#state = "running";
    this.#stopListening = this.#deps.store.listen("tasks", () => this.#poll());
    this.#cancelHeartbeat = this.#deps.timers.after(
      HEARTBEAT_INTERVAL_MS,
      () => void this.#heartbeat(),
    );
    this.#poll();
  }

  /** Number of running tasks. */
  get size(): number {
    return this.#running.size;
  }

  /** Stops claiming tasks, waits for those that can finish and releases the others. */
  async stop(): Promise<void> {
    this.#state = "stopping";
    this.#stopListening();
    this.#cancelPoll();
    for (const attempt of this.#running) {
      if (attempt.handler.resumable) attempt.abort(new StoppingError());
    }
    await this.#waitForRunning(DRAIN_TIMEOUT_MS);
    for (const attempt of this.#running) attempt.abort(new StoppingError());
    await this.#waitForRunning(ABORT_TIMEOUT_MS);
    this.#state = "stopped";
    this.#cancelHeartbeat();
    try {
      await this.#deps.queue.release([...this.#running].map((attempt) => attempt.task));
    } catch (error) {
      // The database may have been stopped first. The leases expire by themselves.
      this.#deps.log.warn("releasing tasks failed", { error: describeError(error) });
    }
  }

  /** Also waits for a claim in progress, whose tasks are released. */
  async #waitForRunning(timeoutMs: number): Promise<void> {
    const done = new AbortController();
    const all = Promise.all([
      this.#polling,
      ...[...this.#running].map((attempt) => attempt.finished),
    ]);
    await Promise.race([all, delay(this.#deps.timers, timeoutMs, done.signal)]);
    done.abort();
  }

  /** Only one poll runs at a time. A notification during a poll triggers another one. */
  #poll(): void {
    this.#pollAgain = true;
    this.#polling ??= Promise.resolve().then(() => this.#claimTasks());
  }

  async #claimTasks(): Promise<void> {
    const { queue, timers, log } = this.#deps;
    this.#cancelPoll();
    try {
      while (this.#pollAgain && this.#state === "running") {
        this.#pollAgain = false;
        await this.#startOrRelease(await queue.claim(this.#capacity()));
      }
    } catch (error) {
      // The disk may be full or the file locked. The next poll will try again.
      log.warn("polling the task queue failed", { error: describeError(error) });
    }
    this.#polling = null;
    if (this.#state !== "running") return;
    this.#cancelPoll = timers.after(POLL_INTERVAL_MS, () => this.#poll());
  }

  /** A process that stops after it claimed tasks doesn't start them. */
  async #startOrRelease(tasks: readonly ClaimedTask[]): Promise<void> {
    if (this.#state !== "running") return await this.#deps.queue.release(tasks);
    for (const task of tasks) this.#startAttempt(task);
  }

  /** Returns how many more tasks of each kind can run. */
  #capacity(): ReadonlyMap<TaskKind, number> {
    const capacity = new Map<TaskKind, number>();
    for (const [kind, { concurrency }] of this.#deps.queue.handlers) {
      const running = [...this.#running].filter((attempt) => attempt.task.kind === kind).length;
      if (running < concurrency) capacity.set(kind, concurrency - running);
    }
    return capacity;
  }

  #startAttempt(task: ClaimedTask): void {
    const handler = this.#deps.queue.handlers.get(task.kind)!;
    const attempt = new Attempt(this.#deps, handler, task);
    this.#running.add(attempt);
    void attempt.run().then(() => {
      this.#running.delete(attempt);
      this.#poll();
    });
  }

  async #heartbeat(): Promise<void> {
    const { queue, timers, log } = this.#deps;
    try {
      const attempts = [...this.#running];
      const lost = await queue.renew(attempts.map((attempt) => attempt.task));
      for (const attempt of attempts) {
        if (lost.includes(attempt.task)) attempt.loseLease();
        else attempt.recordRenewal();
      }
      await queue.reapExpired();
    } catch (error) {
      log.warn("renewing leases failed", { error: describeError(error) });
      for (const attempt of this.#running) attempt.loseLeaseIfExpired();
    }
    if (this.#state === "stopped") return;
    this.#cancelHeartbeat = timers.after(HEARTBEAT_INTERVAL_MS, () => void this.#heartbeat());
  }
}
