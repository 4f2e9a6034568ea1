/** Enqueues tasks in the same unit of work that makes them necessary. */

import sql from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Tx } from "../store/store.ts";
import { allowed } from "./states.ts";
import type { TaskType } from "./task_type.ts";

/** A task to enqueue. */
export interface NewTask<Payload, Progress> {
  readonly type: Pick<TaskType<Payload, Progress>, "kind" | "payload" | "progress">;
  /** Scope fields, visible to clients. */
  readonly scope?: Readonly<Record<string, unknown>>;
  /** The task's command. It never leaves the queue. */
  readonly payload: NoInfer<Payload>;
  /** Progress of an earlier task to continue. Defaults to none. */
  readonly progress?: NoInfer<Progress> | null;
  /** Id created ahead of time because something else refers to it. Defaults to a new one. */
  readonly id?: string;
  /**
   * Whether the task waits for an upload. If so, `submitTask` makes it pending. Defaults to false.
   */
  readonly awaitingUpload?: boolean;
}

/** Adds a task to the queue and returns its id. */
export async function enqueueTask<Payload, Progress>(
  tx: Tx,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  project: number,
  task: NewTask<Payload, Progress>,
): Promise<string> {
  const id = task.id ?? ids.next("task");
  const at = timestamp(clock.now());
  const progress = JSON.stringify(task.progress) ?? null;
  tx.notify("tasks");
  await tx.run(sql`insert into tasks
    (project, id, kind, status, max_attempts, payload, progress, scope, created_at, updated_at)
    values (${project}, ${id}, ${task.type.kind},
     ${task.awaitingUpload ? "awaiting_upload" : "pending"}, ${LIMITS.taskAttempts},
     ${JSON.stringify(task.payload)}, ${progress}, ${
    JSON.stringify(task.scope ?? {})
  }, ${at}, ${at})`);
  return id;
}

/** Makes a task pending once its upload has arrived. Returns false if it wasn't waiting for one. */
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
