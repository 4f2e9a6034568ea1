/** One attempt at one task, from its claim to what becomes of it. */

import { ApiError } from "../kernel/errors.ts";
import { describeError } from "../kernel/log.ts";
import { delay } from "../kernel/timers.ts";
import type { Tx } from "../store/store.ts";
import { asTaskError, LeaseLostError, StoppingError, TaskError } from "./errors.ts";
import {
  type ClaimedTask,
  type DisposableFinalizer,
  type Finalizer,
  isDisposableFinalizer,
  type TaskContext,
  type TaskHandler,
  type TaskResult,
} from "./handler.ts";
import { LEASE_MS } from "./queue.ts";
import type { RunnerDeps } from "./runner.ts";

/** How long to wait before what became of an attempt is written again, after the disk refused. */
const WRITE_RETRY_MS = 1_000;

/** An attempt that runs, or has run. */
export class Attempt {
  readonly handler: TaskHandler;
  readonly task: ClaimedTask;
  /** Resolves when nothing of the attempt will be written any more. */
  readonly finished: Promise<void>;
  readonly #deps: RunnerDeps;
  readonly #abort = new AbortController();
  #leaseEndsAt: number;
  #resolveFinished = () => {};

  constructor(deps: RunnerDeps, handler: TaskHandler, task: ClaimedTask) {
    this.#deps = deps;
    this.handler = handler;
    this.task = task;
    this.#leaseEndsAt = deps.clock.now() + LEASE_MS;
    this.finished = new Promise((resolve) => this.#resolveFinished = resolve);
  }

  /** Runs the task and writes what became of it. Never throws. */
  async run(): Promise<void> {
    const { handler, task } = this;
    const cancelLimit = this.#deps.timers.after(
      handler.timeLimitMs,
      () => this.abort(timeLimitError(handler)),
    );
    let [ended, held]: [boolean, DisposableFinalizer | null] = [false, null];
    const running = Promise.try(() => handler.run(this.#context())).then((result) => {
      // An attempt that was given up may still come to its last step, which nobody takes then.
      if (isDisposableFinalizer(result) && ended) void this.#dispose(result);
      else if (isDisposableFinalizer(result)) held = result;
      return result;
    });
    try {
      const result = await this.#untilAborted(running);
      await this.#writeWithRetry(() => this.#deps.queue.succeed(task, toFinalizer(result)));
    } catch (error) {
      await this.#recordFailure(error);
    } finally {
      cancelLimit();
      ended = true;
      await this.#dispose(held);
      this.#resolveFinished();
    }
  }

  /** What became of the attempt stands, whether or not that succeeds. */
  async #dispose(finalizer: DisposableFinalizer | null): Promise<void> {
    try {
      await finalizer?.dispose();
    } catch (error) {
      const { id, kind } = this.task;
      const about = { task_id: id, kind, error: describeError(error) };
      this.#deps.log.warn("what a task attempt held was not released", about);
    }
  }

  /** Ends the attempt early. The first reason stands. */
  abort(reason: TaskError): void {
    this.#abort.abort(reason);
  }

  /** Another worker has the task now. */
  loseLease(): void {
    this.abort(new LeaseLostError(this.task.id));
  }

  recordRenewal(): void {
    this.#leaseEndsAt = this.#deps.clock.now() + LEASE_MS;
  }

  loseLeaseIfExpired(): void {
    if (this.#deps.clock.now() > this.#leaseEndsAt) this.loseLease();
  }

  #context(): TaskContext {
    const { queue } = this.#deps;
    const { task } = this;
    return {
      task,
      signal: this.#abort.signal,
      commit: async <T>(work: (tx: Tx) => Promise<T>) => {
        const value = await queue.commit(task, work);
        // Between two units of a task requests have their turn at the event loop.
        await delay(this.#deps.timers, 0);
        return value;
      },
      saveProgress: (tx, progress) => queue.saveProgress(tx, task, progress),
    };
  }

  /** A handler that doesn't mind its signal is left behind: the fence keeps it from writing. */
  async #untilAborted<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#abort;
    let stop = () => {};
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop);
    });
    work.catch(() => undefined);
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #recordFailure(thrown: unknown): Promise<void> {
    const { queue, log } = this.#deps;
    const { task } = this;
    // Whatever the handler made of an abort, the reason of the abort is why the attempt ended.
    const cause = this.#abort.signal.aborted ? this.#abort.signal.reason : thrown;
    const error = asTaskError(cause);
    try {
      if (error instanceof LeaseLostError) throw error;
      if (error instanceof StoppingError) await queue.release([task]);
      else await this.#writeWithRetry(() => queue.fail(task, error));
      log.warn("task attempt failed", {
        task_id: task.id,
        kind: task.kind,
        attempt: task.attempt,
        code: error.code,
        error: describeError(error.cause ?? error),
      });
    } catch (failure) {
      // The lease ends by itself, and whoever finds it gone takes the task up again.
      log.warn("task attempt is given up", {
        task_id: task.id,
        kind: task.kind,
        error: describeError(failure),
      });
    }
  }

  /** What became of an attempt is written as soon as the disk takes it, while the lease holds. */
  async #writeWithRetry(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const passing = error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE";
        if (!passing || this.#deps.clock.now() > this.#leaseEndsAt) throw error;
        await delay(this.#deps.timers, WRITE_RETRY_MS);
      }
    }
  }
}

/** The last step of whatever a handler answered. */
export function toFinalizer(result: TaskResult | Finalizer | DisposableFinalizer): Finalizer {
  if (typeof result === "function") return result;
  return isDisposableFinalizer(result) ? result.finalize : () => Promise.resolve(result);
}

function timeLimitError(handler: TaskHandler): TaskError {
  const seconds = Math.round(handler.timeLimitMs / 1_000);
  return new TaskError(
    handler.timeoutCode ?? "INTERNAL_ERROR",
    `The attempt took longer than ${seconds} seconds`,
  );
}
