/** Schemas for operations, i.e. durable work as seen by clients. */

import { z } from "zod";
import { pageFields, pageOf, timestampOutput } from "../contract/fields.ts";
import type { PageFields } from "../kernel/http/page.ts";
import type { TaskFilter } from "../tasks/repository.ts";
import { TASK_KINDS, TASK_STATUSES } from "../tasks/states.ts";

const operationKind = z.enum(TASK_KINDS).meta({ id: "OperationKind" });
const operationStatus = z.enum(TASK_STATUSES).meta({ id: "OperationStatus" });

/** Error in an operation, an event or a source asset. */
export const taskError = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  attempt: z.int(),
  occurred_at: timestampOutput,
}).meta({ id: "TaskError" });

export const operationSchema = z.object({
  id: z.string(),
  kind: operationKind,
  status: operationStatus,
  attempts: z.int(),
  max_attempts: z.int(),
  error: taskError.nullable(),
  next_attempt_at: timestampOutput.nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  progress: z.object({ done: z.int(), total: z.int() }).optional()
    .describe("Records processed so far and in total, while an operation that counts them runs"),
  started_at: timestampOutput.nullable(),
  completed_at: timestampOutput.nullable(),
  created_at: timestampOutput,
  updated_at: timestampOutput,
}).meta({ id: "Operation" });

export type Operation = z.output<typeof operationSchema>;

export const operationQuery = z.object({
  status: operationStatus.optional(),
  state: operationStatus.optional(),
  kind: operationKind.optional(),
  ...pageFields,
});

/** Returns the filter in a query, and the page that it asks for. */
export function toTaskFilter(
  { kind, status, state, ...page }: z.output<typeof operationQuery>,
): [filter: TaskFilter, page: PageFields] {
  const taskStatus = status ?? state;
  const filter = {
    kinds: kind === undefined ? [] : [kind],
    statuses: taskStatus === undefined ? [] : [taskStatus],
  };
  return [filter, page];
}

export const operationPage = pageOf(operationSchema);
export const operationParams = z.object({ id: z.string() });
