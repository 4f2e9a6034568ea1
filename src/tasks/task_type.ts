/** Kinds of tasks: each is declared once, with its payload, progress and limits. */

import type { z } from "zod";
import { zodErrorMap } from "../contract/zod_messages.ts";
import type { Owner } from "../store/store.ts";
import { TaskError } from "./errors.ts";
import type { TaskContext, TaskHandler, TaskLimits, TaskOutcome } from "./handler.ts";

/** A kind of task. Its declaration is used to enqueue tasks as well as to handle them. */
export interface TaskType<Payload, Progress = unknown> extends TaskLimits {
  /**
   * Schema for the payload. Must also accept what earlier versions wrote, since tasks outlive
   * upgrades. Values were validated when the task was enqueued, so it only checks their types.
   */
  readonly payload: z.ZodType<Payload>;
  /**
   * Schema for the progress, if later attempts continue from it. Must also accept what earlier
   * versions saved.
   */
  readonly progress?: z.ZodType<Progress>;
}

/** The payload of a kind of task. */
export type PayloadOf<Type> = Type extends { payload: z.ZodType<infer Payload> } ? Payload : never;

/** The progress of a kind of task. */
export type ProgressOf<Type> = Type extends { progress?: z.ZodType<infer Progress> } ? Progress
  : never;

/** Declares a kind of task. */
export function taskType<Payload, Progress = unknown>(
  type: TaskType<Payload, Progress>,
): TaskType<Payload, Progress> {
  return type;
}

/** How tasks of one kind are handled. */
export interface TaskActions<Payload, Progress> extends Pick<TaskHandler, "onStatusChange"> {
  /**
   * Runs one attempt, from the progress of the one before, or null. See
   * {@linkcode TaskHandler.run}.
   */
  run(
    context: TaskContext<Progress>,
    payload: Payload,
    progress: Progress | null,
  ): Promise<TaskOutcome>;
  /** Returns whose rows the task changes. Defaults to its project's. */
  owner?(payload: Payload): Owner;
}

/**
 * Creates the handler for a kind of task. A task whose payload or progress can't be parsed fails at
 * once, without affecting any other. It can be retried, e.g. after an upgrade.
 */
export function taskHandler<Payload, Progress>(
  type: TaskType<Payload, Progress>,
  { run, owner, onStatusChange }: TaskActions<Payload, Progress>,
): TaskHandler {
  return {
    ...type,
    run: async (context) => {
      const { task } = context;
      const payload = parseField("payload", type.payload, task.payload);
      const progress = task.progress === null || type.progress === undefined
        ? null
        : parseField("progress", type.progress.nullable(), task.progress);
      return await run(context, payload, progress);
    },
    owner: (task) => {
      if (owner === undefined) return task.project;
      const parsed = safeParse(type.payload, task.payload);
      return parsed.success ? owner(parsed.data) : task.project;
    },
    ...(onStatusChange === undefined ? {} : { onStatusChange }),
  };
}

/** Parses progress that was saved as JSON text. Returns null if there is none, or it's invalid. */
export function parseProgress<Progress>(
  { progress }: { readonly progress?: z.ZodType<Progress> },
  text: string | null,
): Progress | null {
  if (progress === undefined || text === null) return null;
  return safeParse(progress, text).data ?? null;
}

function parseField<Value>(name: string, schema: z.ZodType<Value>, text: string): Value {
  const parsed = safeParse(schema, text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = [name, ...issue!.path].join(".");
  throw new TaskError("INTERNAL_ERROR", `The task can't be read: ${field}: ${issue!.message}`, {
    retryable: false,
  });
}

function safeParse<Value>(schema: z.ZodType<Value>, text: string) {
  return schema.safeParse(parseJson(text), { error: zodErrorMap });
}

/** Returns undefined, which no schema accepts, if the text isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
