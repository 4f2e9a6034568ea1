/** What a slice registers to have its tasks done. */

import type { Tx } from "../store/store.ts";
import type { TaskError } from "./errors.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** A task as its handler sees it. */
export interface Task {
  readonly project: number;
  readonly id: string;
  readonly kind: TaskKind;
  /** The command, as it was given to `enqueueTask`. */
  readonly payload: unknown;
}

/** A task in the hands of a worker. */
export interface ClaimedTask extends Task {
  readonly seq: number;
  /** 1 on the first attempt. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What `saveProgress` kept last, in this attempt or an earlier one; null when nothing. */
  readonly progress: unknown;
  /** The fence: every write of this attempt names it. */
  readonly leaseToken: string;
}

/** What an attempt has to work with. */
export interface TaskContext {
  readonly task: ClaimedTask;
  /** Aborts when the lease is lost, the time is up, or the process stops; its reason says which. */
  readonly signal: AbortSignal;
  /**
   * One unit of work that lands only while this attempt holds the lease.
   *
   * @throws LeaseLostError when it doesn't; nothing was changed then
   */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Keeps how far the work has come, within `commit`: a later attempt starts with it. */
  saveProgress(tx: Tx, progress: unknown): Promise<void>;
}

/** What a finished task keeps: JSON, and the blob of the whole when that is too large for a row. */
export interface TaskResult {
  readonly result: Readonly<Record<string, unknown>>;
  readonly blob?: string;
}

/** The last unit of work of a task: what it changes lands together with the success. */
export type Finalizer = (tx: Tx) => Promise<TaskResult>;

/** A last step for which something is kept ready. */
export interface DisposableFinalizer {
  readonly finalize: Finalizer;
  /** Called in any end: the step has landed, was refused, or was never run. */
  dispose(): void | Promise<void>;
}

/** Whether what a handler answered has to be released. */
export function isDisposableFinalizer(
  returned: TaskResult | Finalizer | DisposableFinalizer,
): returned is DisposableFinalizer {
  return typeof returned === "object" && "finalize" in returned;
}

/** How the tasks of a kind are done. */
export interface TaskHandler {
  readonly kind: TaskKind;
  /** How many run at the same time in one process. */
  readonly concurrency: number;
  /** An attempt that takes longer is given up and counts as failed. */
  readonly timeLimitMs: number;
  /** The error code of an attempt that was given up so; INTERNAL_ERROR when not said. */
  readonly timeoutCode?: string;
  /** Saves its progress often: it needn't be waited for when the process stops. */
  readonly resumable?: boolean;
  /**
   * One attempt. An error that isn't a TaskError is INTERNAL_ERROR, and tried again.
   */
  run(context: TaskContext): Promise<TaskResult | Finalizer | DisposableFinalizer>;
  /**
   * Takes part in the unit of work of every change of status, e.g. to keep a record in step. It
   * must not throw: the change, and the others in its unit, would not happen.
   */
  onStatusChange?(tx: Tx, task: Task, status: TaskStatus, error: TaskError | null): Promise<void>;
}
