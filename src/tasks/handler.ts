/** Interface of task handlers, which modules register for their kinds of tasks. */

import type { Tx } from "../store/store.ts";
import type { TaskError } from "./errors.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** Task as its handler sees it. */
export interface Task {
  readonly project: number;
  readonly id: string;
  readonly kind: TaskKind;
  /** Command of the task, as passed to `enqueueTask`. */
  readonly payload: unknown;
}

/** Task that a worker has claimed. */
export interface ClaimedTask extends Task {
  readonly seq: number;
  /** 1 on the first attempt. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Value of the last `saveProgress`, in this attempt or an earlier one; null if there is none. */
  readonly progress: unknown;
  /** Lease token (fencing token). Every write of this attempt checks it. */
  readonly leaseToken: string;
}

/** Context of an attempt. */
export interface TaskContext {
  readonly task: ClaimedTask;
  /**
   * Aborts when the lease is lost, the time limit is exceeded, or the process stops. Its reason
   * says which.
   */
  readonly signal: AbortSignal;
  /**
   * Runs a unit of work that commits only if this attempt still has the lease.
   *
   * @throws LeaseLostError if it does not; nothing has changed then
   */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Saves the progress of the work, within `commit`. A later attempt starts with it. */
  saveProgress(tx: Tx, progress: unknown): Promise<void>;
}

/**
 * Result of a successful task: JSON, and the blob of the complete result if that is too large for a
 * row.
 */
export interface TaskResult {
  readonly result: Readonly<Record<string, unknown>>;
  readonly blob?: string;
}

/** Last unit of work of a task. Its changes are committed together with the success. */
export type Finalizer = (tx: Tx) => Promise<TaskResult>;

/** Finalizer with resources that have to be released. */
export interface DisposableFinalizer {
  readonly finalize: Finalizer;
  /** Called in every case: the finalizer was committed, failed, or never ran. */
  dispose(): void | Promise<void>;
}

/** Checks whether the return value of a handler has to be disposed of. */
export function isDisposableFinalizer(
  returned: TaskResult | Finalizer | DisposableFinalizer,
): returned is DisposableFinalizer {
  return typeof returned === "object" && "finalize" in returned;
}

/** Runs the tasks of one kind. */
export interface TaskHandler {
  readonly kind: TaskKind;
  /** Maximum number of concurrent tasks in one process. */
  readonly concurrency: number;
  /** An attempt that takes longer is aborted and counts as failed. */
  readonly timeLimitMs: number;
  /** Error code of an attempt that exceeded the time limit. Defaults to INTERNAL_ERROR. */
  readonly timeoutCode?: string;
  /** Saves its progress often, so a process that stops does not wait for it. Defaults to false. */
  readonly resumable?: boolean;
  /**
   * Runs one attempt. An error that is not a TaskError becomes INTERNAL_ERROR. It is retried,
   * unless it is an ApiError with a status below 500.
   */
  run(context: TaskContext): Promise<TaskResult | Finalizer | DisposableFinalizer>;
  /**
   * Called in the unit of work of every status change, e.g. to keep a record in sync. It must not
   * throw: that would undo the change and the others in its unit.
   */
  onStatusChange?(tx: Tx, task: Task, status: TaskStatus, error: TaskError | null): Promise<void>;
}
