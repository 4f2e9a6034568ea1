/**
 * The worker of a process: takes what is due and has it done, a number of tasks of each kind at a
 * time. A wakeup only spares waiting; a pickup every second finds what no wakeup told of.
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

/** How often the queue is looked at without a wakeup. */
const POLL_INTERVAL_MS = 1_000;

/** How often leases are renewed, and those of others looked at. */
const HEARTBEAT_INTERVAL_MS = LEASE_MS / 3;

/** How long tasks that are under way may take once the process is told to stop. */
const DRAIN_TIMEOUT_MS = 8_000;

/** How long an aborted task may take to wind down before its lease is given back under it. */
const ABORT_TIMEOUT_MS = 500;

/** What a runner stands on. */
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
  #state: "new" | "running" | "stopping" = "new";
  #polling = false;
  #pollAgain = false;
  #cancelPoll = () => {};
  #cancelHeartbeat = () => {};
  #stopListening = () => {};

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Takes back what earlier starts of the server left behind, and begins. */
  async start(): Promise<void> {
    const lost = await this.#deps.queue.reapOrphaned();
    if (lost > 0) this.#deps.log.warn("tasks of an earlier start are taken up", { tasks: lost });
    this.#state = "running";
    this.#stopListening = this.#deps.store.listen("tasks", () => void this.#poll());
    this.#cancelHeartbeat = this.#deps.timers.after(
      HEARTBEAT_INTERVAL_MS,
      () => void this.#heartbeat(),
    );
    void this.#poll();
  }

  /** How many tasks run now. */
  get size(): number {
    return this.#running.size;
  }

  /** Takes nothing more; finishes what can be finished, and gives the rest back. */
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
    this.#cancelHeartbeat();
    await this.#deps.queue.release([...this.#running].map((attempt) => attempt.task));
  }

  async #waitForRunning(timeoutMs: number): Promise<void> {
    const over = new AbortController();
    const all = Promise.all([...this.#running].map((attempt) => attempt.finished));
    await Promise.race([all, delay(this.#deps.timers, timeoutMs, over.signal)]);
    over.abort();
  }

  /** One look at a time; a wakeup during one makes another follow. */
  async #poll(): Promise<void> {
    this.#pollAgain = true;
    if (this.#polling) return;
    this.#polling = true;
    this.#cancelPoll();
    try {
      while (this.#pollAgain && this.#state === "running") {
        this.#pollAgain = false;
        for (const task of await this.#deps.queue.claim(this.#capacity())) this.#startAttempt(task);
      }
    } catch (error) {
      // The disk may be full or the file locked; the next pickup tries again.
      this.#deps.log.warn("the queue can't be read", { error: describeError(error) });
    }
    this.#polling = false;
    if (this.#state !== "running") return;
    this.#cancelPoll = this.#deps.timers.after(POLL_INTERVAL_MS, () => void this.#poll());
  }

  /** How many more tasks of each kind may run. */
  #capacity(): ReadonlyMap<TaskKind, number> {
    const room = new Map<TaskKind, number>();
    for (const [kind, { concurrency }] of this.#deps.queue.handlers) {
      const running = [...this.#running].filter((attempt) => attempt.task.kind === kind).length;
      if (running < concurrency) room.set(kind, concurrency - running);
    }
    return room;
  }

  #startAttempt(task: ClaimedTask): void {
    const handler = this.#deps.queue.handlers.get(task.kind)!;
    const attempt = new Attempt(this.#deps, handler, task);
    this.#running.add(attempt);
    void attempt.run().then(() => {
      this.#running.delete(attempt);
      void this.#poll();
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
      log.warn("leases can't be renewed", { error: describeError(error) });
      for (const attempt of this.#running) attempt.loseLeaseIfExpired();
    }
    this.#cancelHeartbeat = timers.after(HEARTBEAT_INTERVAL_MS, () => void this.#heartbeat());
  }
}
