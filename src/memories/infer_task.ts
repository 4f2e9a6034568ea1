/** The task of an inferred add. It's handled by inference. */

import { z } from "zod";
import { jsonObject, scopeFields } from "../contract/fields.ts";
import { type PayloadOf, taskType } from "../tasks/task_type.ts";

/** The payload has the request's fields, plus `requested_at`, the time of the request. */
export const INFER = taskType({
  kind: "memory_infer",
  payload: z.object({
    ...scopeFields,
    messages: z.array(z.object({
      role: z.string(),
      content: z.string(),
      created_at: z.string().optional(),
    })).optional(),
    content: z.string().optional(),
    metadata: jsonObject.optional(),
    event_date: z.string().optional(),
    project_id: z.string().optional(),
    request_id: z.string(),
    requested_at: z.string(),
  }),
  concurrency: 4,
  timeLimitMs: 10 * 60_000,
  timeoutCode: "PROVIDER_UNAVAILABLE",
});

export type InferPayload = PayloadOf<typeof INFER>;
