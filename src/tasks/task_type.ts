/** Kinds of tasks: each is declared once, with its payload and limits. */

import type { z } from "zod";
import { zodErrorMap } from "../contract/zod_messages.ts";
import type { Owner } from "../store/store.ts";
import { TaskError } from "./errors.ts";
import type { Task, TaskContext, TaskHandler, TaskLimits, TaskOutcome } from "./handler.ts";

/** A kind of task. Its declaration is used to enqueue tasks as well as to handle them. */
export interface TaskType<Payload> extends TaskLimits {
  /**
   * Schema for the payload. Must also accept what earlier versions wrote, since tasks outlive
   * upgrades. Values were validated when the task was enqueued, so it only checks their types.
   */
  readonly payload: z.ZodType<Payload>;
}

/** The payload of a kind of task. */
export type PayloadOf<Type> = Type extends TaskType<infer Payload> ? Payload : never;

/** Declares a kind of task. */
export function taskType<Payload>(type: TaskType<Payload>): TaskType<Payload> {
  return type;
}

/** How tasks of one kind are handled. */
export interface TaskActions<Payload> extends Pick<TaskHandler, "onStatusChange"> {
  /** Runs one attempt. See {@linkcode TaskHandler.run}. */
  run(context: TaskContext, payload: Payload): Promise<TaskOutcome>;
  /** Returns whose rows the task changes. Defaults to its project's. */
  owner?(payload: Payload): Owner;
}

/**
 * Creates the handler for a kind of task. A task whose payload can't be parsed fails at once,
 * without affecting any other. It can be retried, e.g. after an upgrade.
 */
export function taskHandler<Payload>(
  type: TaskType<Payload>,
  { run, owner, onStatusChange }: TaskActions<Payload>,
): TaskHandler {
  return {
    ...type,
    run: async (context) => await run(context, parsePayload(type, context.task)),
    owner: (task) => {
      if (owner === undefined) return task.project;
      const parsed = readPayload(type, task);
      return parsed.success ? owner(parsed.data) : task.project;
    },
    ...(onStatusChange === undefined ? {} : { onStatusChange }),
  };
}

function parsePayload<Payload>(type: TaskType<Payload>, task: Task): Payload {
  const parsed = readPayload(type, task);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = ["payload", ...issue!.path].join(".");
  throw new TaskError("INTERNAL_ERROR", `The task can't be read: ${field}: ${issue!.message}`, {
    retryable: false,
  });
}

function readPayload<Payload>({ payload }: TaskType<Payload>, task: Task) {
  return payload.safeParse(parseJson(task.payload), { error: zodErrorMap });
}

/** Returns undefined, which no schema accepts, if the text isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
