/** Task attempt errors, which indicate whether a retry can help. */

import { asApiError } from "../kernel/errors.ts";

/** An operation error as shown by the API. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** Options for a task error. */
export interface TaskErrorOptions {
  /** If false, the task is dead immediately, since a retry can't help. Defaults to true. */
  readonly retryable?: boolean;
  /** Minimum delay before the next attempt, in milliseconds, e.g. a provider's `Retry-After`. */
  readonly retryAfterMs?: number;
  /** The underlying error. Logged, but never sent to the client. */
  readonly cause?: unknown;
}

/**
 * An error that ends an attempt. Clients see the message, so it says what failed without including
 * any content.
 */
export class TaskError extends Error implements TaskFailure {
  override readonly name = "TaskError";
  readonly retryable: boolean;
  readonly retryAfterMs: number;

  constructor(readonly code: string, message: string, options: TaskErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable ?? true;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** Error codes for attempts whose worker was lost. */
export type QueueErrorCode = "LEASE_LOST" | "task_queue_delivery_exhausted";

/** The task belongs to a different worker, or to none, so this attempt must not write anything. */
export class LeaseLostError extends TaskError {
  constructor(taskId: string) {
    super("LEASE_LOST", `Lost the lease of ${taskId}`);
  }
}

/** The process is stopping. The attempt is released and doesn't count. */
export class StoppingError extends TaskError {
  constructor() {
    super("SERVICE_STOPPING", "The service is stopping");
  }
}

/**
 * The attempt has saved its progress and ends, so that other projects get a turn, or because it
 * reached its time limit. It's released and doesn't count.
 */
export class TurnOverError extends TaskError {
  constructor() {
    super("TURN_OVER", "The attempt goes on after the tasks of other projects");
  }
}

/**
 * Converts anything thrown by an attempt to a task error. Unexpected errors are retryable, as they
 * may be temporary.
 */
export function asTaskError(thrown: unknown): TaskError {
  if (thrown instanceof TaskError) return thrown;
  const { code, message, status, retryAfter = 0, cause } = asApiError(thrown);
  return new TaskError(code, message, {
    retryable: status >= 500,
    retryAfterMs: retryAfter * 1_000,
    cause,
  });
}

/** Returns an attempt's error as its task stores it. */
export function errorJson(error: TaskError, attempt: number, at: string): string {
  const { code, message, retryable } = error;
  return JSON.stringify({ code, message, retryable, attempt, occurred_at: at });
}
