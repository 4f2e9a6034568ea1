/** How attempts fail: one error that says whether trying again can help. */

import { asApiError } from "../kernel/errors.ts";

/** What an operation shows of a failure. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** How to treat a failure. */
export interface TaskErrorOptions {
  /** False: the task is dead at once, since repeating it can't help. */
  readonly retryable?: boolean;
  /** The least wait before the next attempt, in milliseconds; a provider's `Retry-After`. */
  readonly retryAfterMs?: number;
  /** What happened underneath; goes to the log, never to the client. */
  readonly cause?: unknown;
}

/** Ends an attempt. The message is shown to clients: it says what failed, without content. */
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

/** How an attempt ends whose worker went away. */
export type QueueErrorCode = "LEASE_LOST" | "task_queue_delivery_exhausted";

/** The task belongs to another worker now, or to none: nothing of this attempt may be written. */
export class LeaseLostError extends TaskError {
  constructor(taskId: string) {
    super("LEASE_LOST", `The lease of ${taskId} is lost`);
  }
}

/** The process is stopping: the attempt is given back, as if it had not been made. */
export class StoppingError extends TaskError {
  constructor() {
    super("SERVICE_STOPPING", "The service is stopping");
  }
}

/** Anything that an attempt threw, as a failure. An unexpected error is retryable: it may pass. */
export function asTaskError(thrown: unknown): TaskError {
  if (thrown instanceof TaskError) return thrown;
  const { code, message, status, retryAfter = 0, cause } = asApiError(thrown);
  return new TaskError(code, message, {
    retryable: status >= 500,
    retryAfterMs: retryAfter * 1_000,
    cause,
  });
}
