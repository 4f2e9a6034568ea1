/**
 * Kinds of tasks, and the states of a task.
 *
 * A task is written in the unit of work that makes it necessary: as `pending`, or as
 * `awaiting_upload` while its bytes are missing. A worker claims it: the task is `processing`, its
 * number of attempts goes up by one, and it has a lease under which only the token of this worker
 * can write.
 *
 * The attempt ends in `success`, in `retry` if the error can be temporary (the task waits until
 * `next_attempt_at`), or in `dead` if it can't, or if no attempts are left. If a worker dies, its
 * lease expires, and the attempt counts as failed. If a worker is stopped, it releases its lease,
 * and the attempt does not count.
 *
 * An operator can redrive a task that waits for its next attempt or is dead. A task that is no
 * longer needed is `cancelled`.
 */

import { raw, type Sql } from "sql-template-tag";

/** Kinds that clients start with a request. The health endpoint counts them as operations. */
export const CLIENT_KINDS = [
  "batch_update",
  "batch_delete",
  "document_extract",
  "export",
  "import",
] as const;

/** Every kind of task, as the API shows it. */
export const TASK_KINDS = [
  ...CLIENT_KINDS,
  "memory_infer",
  "derive",
  "rebuild",
  "maintenance",
  "purge",
] as const;

export type TaskKind = typeof TASK_KINDS[number];

/** Every status in the API. `committed` and `failed` are reserved and never produced. */
export const TASK_STATUSES = [
  "awaiting_upload",
  "pending",
  "retry",
  "processing",
  "success",
  "committed",
  "dead",
  "failed",
  "cancelled",
] as const;

export type TaskStatus = typeof TASK_STATUSES[number];

/** Every transition of a task, with the states before and after it. */
export const TRANSITIONS = {
  /** Its upload has arrived. */
  submit: { from: ["awaiting_upload"], to: ["pending"] },
  /** A worker claims it under a lease. */
  claim: { from: ["pending", "retry"], to: ["processing"] },
  /** The worker has completed it. */
  succeed: { from: ["processing"], to: ["success"] },
  /** The attempt has failed. */
  fail: { from: ["processing"], to: ["retry", "dead"] },
  /** The worker was lost: its lease expired, or belongs to an earlier start of the server. */
  lose: { from: ["processing"], to: ["retry", "dead"] },
  /** The worker is stopping and releases the attempt. */
  release: { from: ["processing"], to: ["pending"] },
  /** An operator retries it, beginning with the first attempt. */
  redrive: { from: ["retry", "dead"], to: ["pending"] },
  /** Its upload was deleted, or its project purged. */
  cancel: { from: ["awaiting_upload", "pending", "retry", "dead"], to: ["cancelled"] },
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: readonly TaskStatus[] }>;

export type Transition = keyof typeof TRANSITIONS;

/** States in which a redrive succeeds without any effect. */
export const REDRIVE_NOOP_STATUSES: readonly TaskStatus[] = ["pending", "processing"];

/**
 * Returns the SQL condition under which a transition is allowed. It contains literals instead of
 * parameters, because SQLite only uses a partial index if it can read the condition
 * (sqlite.org/partialindex.html).
 */
export function allowed(transition: Transition): Sql {
  return raw(
    `status in (${TRANSITIONS[transition].from.map((status) => `'${status}'`).join(", ")})`,
  );
}
