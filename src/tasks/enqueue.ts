/** Putting a task into the queue, within the unit of work that makes it necessary. */

import sql from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Tx } from "../store/store.ts";
import { allowed, type TaskKind } from "./states.ts";

/** A task as it is accepted. */
export interface NewTask {
  readonly kind: TaskKind;
  /** Scope fields, safe to show. */
  readonly scope?: Readonly<Record<string, unknown>>;
  /** The command; never leaves the queue. */
  readonly payload: unknown;
  /** An id taken beforehand, when something else has to name it. */
  readonly id?: string;
  /** The task waits for its bytes first; `submitTask` puts it into the queue then. */
  readonly awaitingUpload?: boolean;
}

/** Answers the id of the task. */
export async function enqueueTask(
  tx: Tx,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  project: number,
  task: NewTask,
): Promise<string> {
  const id = task.id ?? ids.next("task");
  const at = timestamp(clock.now());
  tx.notify("tasks");
  await tx.run(sql`insert into tasks
    (project, id, kind, status, max_attempts, payload, scope, created_at, updated_at)
    values (${project}, ${id}, ${task.kind},
     ${task.awaitingUpload ? "awaiting_upload" : "pending"}, ${LIMITS.taskAttempts},
     ${JSON.stringify(task.payload)}, ${JSON.stringify(task.scope ?? {})}, ${at}, ${at})`);
  return id;
}

/** Puts a task into the queue whose bytes have arrived; false when it is there already. */
export async function submitTask(
  tx: Tx,
  clock: Clock,
  project: number,
  id: string,
): Promise<boolean> {
  tx.notify("tasks");
  return await tx.run(
    sql`update tasks set status = 'pending', updated_at = ${
      timestamp(clock.now())
    } where project = ${project} and id = ${id} and ${allowed("submit")}`,
  ) > 0;
}
