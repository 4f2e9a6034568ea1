/** Putting a task into the queue, within the unit of work that makes it necessary. */

import sql from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Tx } from "../store/store.ts";
import type { TaskKind } from "./states.ts";

/** A task as it is accepted. */
export interface NewTask {
  readonly kind: TaskKind;
  /** Scope fields, safe to show. */
  readonly scope?: Readonly<Record<string, unknown>>;
  /** The command; never leaves the queue. */
  readonly payload: unknown;
}

/** Answers the id of the task. */
export async function enqueueTask(
  tx: Tx,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  project: number,
  task: NewTask,
): Promise<string> {
  const id = ids.next("task");
  const at = timestamp(clock.now());
  await tx.run(sql`insert into tasks
    (project, id, kind, status, max_attempts, payload, scope, created_at, updated_at)
    values (${project}, ${id}, ${task.kind}, 'pending', ${LIMITS.taskAttempts},
     ${JSON.stringify(task.payload)}, ${JSON.stringify(task.scope ?? {})}, ${at}, ${at})`);
  return id;
}
