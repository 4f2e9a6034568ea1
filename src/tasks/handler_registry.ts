/** Finds the handlers of tasks, for what the queue needs to know of them. */

import type { Owner, Tx } from "../store/store.ts";
import type { TaskError } from "./errors.ts";
import type { Task, TaskHandler } from "./handler.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** The registered handlers. */
export class HandlerRegistry {
  readonly #byKind = new Map<TaskKind, TaskHandler>();

  /** Registers handlers, one per kind. */
  register(handlers: readonly TaskHandler[]): void {
    for (const handler of handlers) this.#byKind.set(handler.kind, handler);
  }

  /** Registered handlers, keyed by task kind. */
  get byKind(): ReadonlyMap<TaskKind, TaskHandler> {
    return this.#byKind;
  }

  /** Returns whose rows a task changes. */
  ownerOf(task: Task): Owner {
    return this.#byKind.get(task.kind)?.owner?.(task) ?? task.project;
  }

  /** Notifies a task's handler of a status change, in the same unit of work. */
  async notify(tx: Tx, task: Task, status: TaskStatus, error: TaskError | null): Promise<void> {
    await this.#byKind.get(task.kind)?.onStatusChange?.(tx, task, status, error);
  }
}
