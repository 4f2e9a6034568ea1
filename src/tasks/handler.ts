/** The interface for task handlers, which modules register for their own kinds of tasks. */

import type { Tx } from "../store/store.ts";
import type { TaskError } from "./errors.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** A task as its handler sees it. */
export interface Task {
  readonly project: number;
  readonly id: string;
  readonly kind: TaskKind;
  /** The task's command, as passed to `enqueueTask`. */
  readonly payload: unknown;
}

/** A task that a worker has claimed. */
export interface ClaimedTask extends Task {
  readonly seq: number;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /**
   * Value from the last call to `saveProgress`, whether in this attempt or an earlier one. Null if
   * it was never called.
   */
  readonly progress: unknown;
  /** Lease token (fencing token). Every write that this attempt makes checks it. */
  readonly leaseToken: string;
}

/** The context in which an attempt runs. */
export interface TaskContext {
  readonly task: ClaimedTask;
  /**
   * Aborted when the lease is lost, the time limit is exceeded, or the process stops. The abort
   * reason says which.
   */
  readonly signal: AbortSignal;
  /**
   * Runs a unit of work that commits only if this attempt still has the lease.
   *
   * @throws LeaseLostError if the lease is lost; nothing has changed in that case
   */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Saves the progress of the work, within `commit`. Any later attempt picks up from there. */
  saveProgress(tx: Tx, progress: unknown): Promise<void>;
}

/**
 * Result of a successful task: JSON, and the blob with the complete result if that is too large for
 * a row.
 */
export interface TaskResult {
  readonly result: Readonly<Record<string, unknown>>;
  readonly blob?: string;
}

/** A task's last unit of work. Its changes are committed together with the success. */
export type Finalizer = (tx: Tx) => Promise<TaskResult>;

/** A finalizer with resources that must be released. */
export interface DisposableFinalizer {
  readonly finalize: Finalizer;
  /** Called in every case: whether the finalizer was committed, failed, or never ran. */
  dispose(): void | Promise<void>;
}

/** Checks whether a handler's return value has to be disposed of. */
export function isDisposableFinalizer(
  returned: TaskResult | Finalizer | DisposableFinalizer,
): returned is DisposableFinalizer {
  return typeof returned === "object" && "finalize" in returned;
}

/** Runs tasks of one kind. */
export interface TaskHandler {
  readonly kind: TaskKind;
  /** Maximum number of tasks that run concurrently in one process. */
  readonly concurrency: number;
  /** If an attempt takes longer than this, it is aborted and counts as failed. */
  readonly timeLimitMs: number;
  /** Error code for an attempt that exceeded the time limit. Defaults to INTERNAL_ERROR. */
  readonly timeoutCode?: string;
  /**
   * Whether the handler saves its progress often, so that a process that is stopping doesn't need
   * to wait for it. Defaults to false.
   */
  readonly resumable?: boolean;
  /**
   * Runs one attempt. If it throws anything other than a TaskError, the error becomes
   * INTERNAL_ERROR and the attempt is retried, unless the error is an ApiError with a status below
   * 500.
   */
  run(context: TaskContext): Promise<TaskResult | Finalizer | DisposableFinalizer>;
  /**
   * Called in the unit of work of every status change, e.g. to keep a record in sync. It must not
   * throw, because that would undo the status change along with everything else in its unit of
   * work.
   */
  onStatusChange?(tx: Tx, task: Task, status: TaskStatus, error: TaskError | null): Promise<void>;
}
