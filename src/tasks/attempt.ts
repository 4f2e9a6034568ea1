/** Runs an attempt at a task, from claiming it to writing its outcome. */

import { ApiError } from "../kernel/errors.ts";
import { describeError } from "../kernel/log.ts";
import { delay } from "../kernel/timers.ts";
import type { Tx } from "../store/store.ts";
import { asTaskError, LeaseLostError, StoppingError, TaskError, TurnOverError } from "./errors.ts";
import {
  type ClaimedTask,
  type DisposableFinalizer,
  type Finalizer,
  isDisposableFinalizer,
  type TaskContext,
  type TaskHandler,
  type TaskOutcome,
} from "./handler.ts";
import { LEASE_MS } from "./queue.ts";
import type { RunnerDeps } from "./runner.ts";

/** How long to wait before trying to write an attempt's outcome again after the disk has failed. */
const WRITE_RETRY_MS = 1_000;

/** An attempt that is running or has ended. */
export class Attempt {
  readonly handler: TaskHandler;
  readonly task: ClaimedTask;
  /** Resolves once this attempt won't write anything any more. */
  readonly finished: Promise<void>;
  readonly #deps: RunnerDeps;
  readonly #abort = new AbortController();
  #leaseEndsAt: number;
  /** Whether the next attempt begins after something that this one has done. */
  #hasAdvanced = false;
  /** Whether this attempt has done something since its time limit last began. */
  #isAdvancing = false;
  #cancelTimeout = () => {};
  #resolveFinished = () => {};

  constructor(deps: RunnerDeps, handler: TaskHandler, task: ClaimedTask) {
    this.#deps = deps;
    this.handler = handler;
    this.task = task;
    this.#leaseEndsAt = deps.clock.now() + LEASE_MS;
    this.finished = new Promise((resolve) => this.#resolveFinished = resolve);
  }

  /** Runs the task and writes the outcome. Never throws. */
  async run(): Promise<void> {
    const { handler, task } = this;
    this.#beginTimeLimit();
    let [ended, disposable]: [boolean, DisposableFinalizer | null] = [false, null];
    const running = Promise.try(() => handler.run(this.#context())).then((result) => {
      // An aborted handler can still return a finalizer, but it won't be used.
      if (isDisposableFinalizer(result) && ended) void this.#dispose(result);
      else if (isDisposableFinalizer(result)) disposable = result;
      return result;
    });
    try {
      const result = await this.#untilAborted(running);
      await this.#writeWithRetry(() => this.#deps.queue.succeed(task, toFinalizer(result)));
    } catch (error) {
      await this.#recordFailure(error);
    } finally {
      this.#cancelTimeout();
      ended = true;
      await this.#dispose(disposable);
      this.#resolveFinished();
    }
  }

  /** The attempt's outcome doesn't depend on this. */
  async #dispose(finalizer: DisposableFinalizer | null): Promise<void> {
    try {
      await finalizer?.dispose();
    } catch (error) {
      const { id, kind } = this.task;
      const fields = { task_id: id, kind, error: describeError(error) };
      this.#deps.log.warn("releasing the resources of a task attempt failed", fields);
    }
  }

  /** Aborts the attempt. If called more than once, the first reason wins. */
  abort(reason: TaskError): void {
    this.#abort.abort(reason);
  }

  /** Aborts the attempt, since a different worker has the task now. */
  loseLease(): void {
    this.abort(new LeaseLostError(this.task.id));
  }

  /** Records that the lease was renewed. */
  recordRenewal(): void {
    this.#leaseEndsAt = this.#deps.clock.now() + LEASE_MS;
  }

  /** Aborts the attempt if its lease has expired by this process's clock. */
  loseLeaseIfExpired(): void {
    if (this.#deps.clock.now() > this.#leaseEndsAt) this.loseLease();
  }

  #beginTimeLimit(): void {
    const { handler } = this;
    this.#isAdvancing = false;
    this.#cancelTimeout = this.#deps.timers.after(handler.timeLimitMs, () => {
      if (this.#hasAdvanced) this.abort(new TurnOverError());
      else if (this.#isAdvancing) this.#beginTimeLimit();
      else this.abort(timeLimitError(handler));
    });
  }

  #context(): TaskContext {
    const { queue } = this.#deps;
    const { task } = this;
    return {
      task,
      signal: this.#abort.signal,
      commit: async <T>(work: (tx: Tx) => Promise<T>) => {
        const value = await queue.commit(task, work);
        // Lets the event loop handle requests between units of work.
        await delay(this.#deps.timers, 0);
        return value;
      },
      saveProgress: async (tx, progress) => {
        await queue.saveProgress(tx, task, progress);
        this.#hasAdvanced = this.handler.resumable === true;
      },
      advance: () => {
        this.#abort.signal.throwIfAborted();
        this.#isAdvancing = true;
      },
    };
  }

  /**
   * Rejects as soon as the attempt is aborted. A handler that ignores its signal keeps running, but
   * its lease token keeps it from writing.
   */
  async #untilAborted<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#abort;
    work.catch(() => undefined);
    // It may have been aborted before the handler first waited.
    signal.throwIfAborted();
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort);
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #recordFailure(thrown: unknown): Promise<void> {
    const { queue, log } = this.#deps;
    const { task } = this;
    // After an abort, the abort reason counts, not the error thrown by the handler as a result.
    const cause = this.#abort.signal.aborted ? this.#abort.signal.reason : thrown;
    const error = asTaskError(cause);
    try {
      if (error instanceof LeaseLostError) throw error;
      if (error instanceof TurnOverError) {
        return await this.#writeWithRetry(() => queue.release([task]));
      }
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
      // The lease expires, and the task is claimed again once that's been reaped.
      log.warn("task attempt abandoned", {
        task_id: task.id,
        kind: task.kind,
        error: describeError(failure),
      });
    }
  }

  /** Writes the attempt's outcome, retrying for as long as the disk fails and the lease lasts. */
  async #writeWithRetry(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const temporary = error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE";
        if (!temporary || this.#deps.clock.now() > this.#leaseEndsAt) throw error;
        await delay(this.#deps.timers, WRITE_RETRY_MS);
      }
    }
  }
}

/** Returns the finalizer for a handler's return value. */
export function toFinalizer(result: TaskOutcome): Finalizer {
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
