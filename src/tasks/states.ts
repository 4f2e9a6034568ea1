/**
 * Task kinds and states.
 *
 * A task is written in the same unit of work that makes it necessary. It starts out as `pending`,
 * or as `awaiting_upload` if its bytes have yet to arrive. When a worker claims it, it becomes
 * `processing`, its attempt count goes up by one, and it gets a lease. While the lease lasts, only
 * this worker's token can write.
 *
 * The attempt ends in `success`, in `retry` if the error may be temporary (the task then waits
 * until `next_attempt_at`), or in `dead` if the error is permanent or there are no attempts left.
 * If a worker dies, its lease expires and the attempt counts as failed. If a worker is stopped, or its
 * turn is over, it releases its lease and the attempt doesn't count.
 *
 * An operator can redrive a task that is dead or waiting for its next attempt. A task no longer
 * needed is `cancelled`.
 */

import sql, { raw, type Sql } from "sql-template-tag";

/** Kinds started by a client request. The health endpoint counts them as operations. */
export const CLIENT_KINDS = [
  "batch_update",
  "batch_delete",
  "document_extract",
  "export",
  "import",
  "export_file",
  "import_file",
] as const;

/** Every task kind, as shown by the API. */
export const TASK_KINDS = [
  ...CLIENT_KINDS,
  "memory_infer",
  "derive",
  "rebuild",
  "maintenance",
  "purge",
] as const;

export type TaskKind = typeof TASK_KINDS[number];

/** Every API status. `committed` and `failed` are reserved but never produced. */
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

/** Every task transition, with the states before and after it. */
export const TRANSITIONS = {
  /** The task's upload has arrived. */
  submit: { from: ["awaiting_upload"], to: ["pending"] },
  /** A worker claims the task under a lease. */
  claim: { from: ["pending", "retry"], to: ["processing"] },
  /** The worker has completed the task. */
  succeed: { from: ["processing"], to: ["success"] },
  /** The attempt has failed. */
  fail: { from: ["processing"], to: ["retry", "dead"] },
  /** The worker was lost: its lease expired or belongs to an earlier server start. */
  lose: { from: ["processing"], to: ["retry", "dead"] },
  /** The worker is stopping, or its turn is over, and it releases the attempt. */
  release: { from: ["processing"], to: ["pending"] },
  /** An operator retries the task from its first attempt. */
  redrive: { from: ["retry", "dead"], to: ["pending"] },
  /** The task's upload or the file of its failed import was deleted. */
  cancel: { from: ["awaiting_upload", "pending", "retry", "dead"], to: ["cancelled"] },
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: readonly TaskStatus[] }>;

export type Transition = keyof typeof TRANSITIONS;

/** States in which a redrive is a no-op that succeeds. */
export const REDRIVE_NOOP_STATUSES: readonly TaskStatus[] = ["pending", "processing"];

/**
 * Returns the SQL condition for a transition to be allowed. It contains literals rather than
 * parameters, since SQLite only uses a partial index if it can see the values in the condition
 * (sqlite.org/partialindex.html).
 */
export function allowed(transition: Transition): Sql {
  return raw(
    `status in (${TRANSITIONS[transition].from.map((status) => `'${status}'`).join(", ")})`,
  );
}

/** Assignments that end a lease. */
export const CLEAR_LEASE = sql`lease_token = null, lease_expires_at = null, boot_id = null`;

/** Returns the assignments after a failed attempt, which can be the final one. */
export function failureAssignments(final: boolean, nextAttemptAt: string, now: string): Sql {
  return final
    ? sql`status = 'dead', next_attempt_at = null, completed_at = ${now}`
    : sql`status = 'retry', next_attempt_at = ${nextAttemptAt}`;
}
