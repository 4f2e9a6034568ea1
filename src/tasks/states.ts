/**
 * The kinds of work on the queue, and the states that a task passes through.
 *
 * A task is written with the change that makes it necessary: as `pending`, or as `awaiting_upload`
 * while its bytes are still missing. A worker claims it: `processing`, one attempt more, a lease
 * that only this worker's token can write under. The attempt ends in `success`, in `retry` (the
 * error may pass: the task waits until `next_attempt_at`), or in `dead` (it won't pass, or the
 * attempts are used up). A worker that dies loses its lease, and that is a failed attempt too; one
 * that is told to stop gives its lease back, and that is none. A person can redrive what waits for
 * its next attempt or is dead. Work whose reason is gone is `cancelled`.
 */

import { raw, type Sql } from "sql-template-tag";

/** Kinds that a client starts by a request of its own: health counts them as operations. */
export const CLIENT_KINDS = [
  "batch_update",
  "batch_delete",
  "document_extract",
  "export",
  "import",
] as const;

/** Every kind of task, as operations show it. */
export const TASK_KINDS = [
  ...CLIENT_KINDS,
  "memory_infer",
  "derive",
  "rebuild",
  "maintenance",
  "purge",
] as const;

export type TaskKind = typeof TASK_KINDS[number];

/** Every status that the interface names; `committed` and `failed` are reserved, never produced. */
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

/** What can happen to a task, from which states, and where that leads. Nothing else can happen. */
export const TRANSITIONS = {
  /** Its bytes have arrived. */
  submit: { from: ["awaiting_upload"], to: ["pending"] },
  /** A worker takes it under a lease. */
  claim: { from: ["pending", "retry"], to: ["processing"] },
  /** The worker has done it. */
  succeed: { from: ["processing"], to: ["success"] },
  /** The attempt has failed. */
  fail: { from: ["processing"], to: ["retry", "dead"] },
  /** The worker is gone: its lease ran out, or belongs to an earlier start of the server. */
  lose: { from: ["processing"], to: ["retry", "dead"] },
  /** The worker was told to stop and gives the attempt back. */
  release: { from: ["processing"], to: ["pending"] },
  /** A person wants it tried again, from the first attempt. */
  redrive: { from: ["retry", "dead"], to: ["pending"] },
  /** Its upload was deleted, or its project purged. */
  cancel: { from: ["awaiting_upload", "pending", "retry", "dead"], to: ["cancelled"] },
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: readonly TaskStatus[] }>;

export type Transition = keyof typeof TRANSITIONS;

/** The states that a task may wait in for a redrive that has nothing to do. */
export const REDRIVE_NOOP_STATUSES: readonly TaskStatus[] = ["pending", "processing"];

/**
 * The condition under which a transition may happen, as SQL. Written out, not as parameters, since
 * SQLite uses a partial index only for a condition that it can read (sqlite.org/partialindex.html).
 */
export function allowed(transition: Transition): Sql {
  return raw(`status in (${TRANSITIONS[transition].from.map((each) => `'${each}'`).join(", ")})`);
}
