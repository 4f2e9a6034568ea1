/** Errors of task attempts, which say whether a retry can help. */

import { asApiError } from "../kernel/errors.ts";

/** Error of an operation, as the API shows it. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** Options of a task error. */
export interface TaskErrorOptions {
  /** If false, the task is dead immediately, because a retry can't help. Defaults to true. */
  readonly retryable?: boolean;
  /** Minimum delay before the next attempt, in milliseconds; a provider's `Retry-After`. */
  readonly retryAfterMs?: number;
  /** Underlying error. It is logged and never sent to the client. */
  readonly cause?: unknown;
}

/** Error that ends an attempt. Clients see the message: it says what failed, without content. */
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

/** Error codes of attempts whose worker was lost. */
export type QueueErrorCode = "LEASE_LOST" | "task_queue_delivery_exhausted";

/** The task belongs to another worker, or to none. This attempt must not write anything. */
export class LeaseLostError extends TaskError {
  constructor(taskId: string) {
    super("LEASE_LOST", `Lost the lease of ${taskId}`);
  }
}

/** The process is stopping. The attempt is released and does not count. */
export class StoppingError extends TaskError {
  constructor() {
    super("SERVICE_STOPPING", "The service is stopping");
  }
}

/**
 * Converts anything that an attempt threw. Unexpected errors are retryable, because they can be
 * temporary.
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
