/** The interface for task handlers. Modules register one for each of their own kinds of tasks. */

import type { Owner, Tx } from "../store/store.ts";
import type { TaskError } from "./errors.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** A task as seen by its handler. */
export interface Task {
  readonly project: number;
  readonly id: string;
  readonly kind: TaskKind;
  /** The task's command as JSON text. Handlers get it parsed. See {@linkcode taskHandler}. */
  readonly payload: string;
}

/** A task claimed by a worker. */
export interface ClaimedTask extends Task {
  readonly seq: number;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /**
   * JSON text of what an earlier attempt passed to `saveProgress`, or null. Handlers get it parsed.
   */
  readonly progress: string | null;
  /** Lease token (a.k.a. fencing token), checked on every write by this attempt. */
  readonly leaseToken: string;
}

/** The context an attempt runs in. */
export interface TaskContext<Progress = unknown> {
  readonly task: ClaimedTask;
  /**
   * Aborted when the lease is lost, the time limit is exceeded or the process stops. The abort
   * reason says which.
   */
  readonly signal: AbortSignal;
  /**
   * Runs a unit of work that only commits if this attempt still has the lease.
   *
   * @throws LeaseLostError if the lease is lost; nothing has changed in that case
   */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Saves progress, within `commit`. Later attempts pick up from there. */
  saveProgress(tx: Tx, progress: Progress | null): Promise<void>;
  /**
   * Notes that the attempt has done something that no later one could continue from. When its time
   * limit is exceeded, the limit begins again instead of aborting it.
   *
   * @throws the abort reason once the attempt is aborted
   */
  advance(): void;
}

/**
 * A successful task's result: JSON, plus a blob with the complete result if that's too large for a
 * row.
 */
export interface TaskResult {
  readonly result: Readonly<Record<string, unknown>>;
  readonly blob?: string;
}

/** A task's last unit of work, committed together with the success. */
export type Finalizer = (tx: Tx) => Promise<TaskResult>;

/** A finalizer with resources that must be released. */
export interface DisposableFinalizer {
  readonly finalize: Finalizer;
  /** Always called, whether the finalizer was committed, failed or never ran. */
  dispose(): void | Promise<void>;
}

/** What a successful attempt returns. */
export type TaskOutcome = TaskResult | Finalizer | DisposableFinalizer;

/** Checks whether a handler's return value needs disposing of. */
export function isDisposableFinalizer(returned: TaskOutcome): returned is DisposableFinalizer {
  return typeof returned === "object" && "finalize" in returned;
}

/** Limits for tasks of one kind. */
export interface TaskLimits {
  readonly kind: TaskKind;
  /** Maximum number of tasks running concurrently in one process. */
  readonly concurrency: number;
  /**
   * Attempts that take longer are aborted. They count as failed, unless they are resumable and have
   * saved progress. Those that call `advance` can take longer.
   */
  readonly timeLimitMs: number;
  /** Error code for attempts that exceed the time limit. Defaults to INTERNAL_ERROR. */
  readonly timeoutCode?: string;
  /**
   * Whether the handler saves its progress often, so a stopping process doesn't need to wait for
   * it. Defaults to false.
   */
  readonly resumable?: boolean;
}

/** Runs tasks of one kind. Created by `taskHandler`. */
export interface TaskHandler extends TaskLimits {
  /** Returns whose rows the task changes. Defaults to its project's. */
  owner?(task: Task): Owner;
  /**
   * Runs one attempt. A TaskError that is thrown says whether to retry. An ApiError keeps its code,
   * and is retried unless its status is below 500. Anything else becomes INTERNAL_ERROR and is
   * retried.
   */
  run(context: TaskContext): Promise<TaskOutcome>;
  /**
   * Called in the unit of work of every status change, e.g. to keep a record in sync. Must not
   * throw: that would undo the status change along with everything else in its unit of work.
   */
  onStatusChange?(tx: Tx, task: Task, status: TaskStatus, error: TaskError | null): Promise<void>;
}
