/** The task that turns an uploaded file into a document. */

import { z } from "zod";
import { LIMITS } from "../kernel/limits.ts";
import { type PayloadOf, taskType } from "../tasks/task_type.ts";

/**
 * Time limit for everything after the extraction, i.e. cutting and writing a one-megabyte document.
 */
const WRITE_TIME_LIMIT_MS = 60_000;

export const EXTRACT = taskType({
  kind: "document_extract",
  payload: z.object({ projectId: z.string(), requestId: z.string() }),
  // Each can use a full core and over a gigabyte of memory.
  concurrency: 2,
  timeLimitMs: LIMITS.extractionMs + WRITE_TIME_LIMIT_MS,
  timeoutCode: "EXTRACTION_TIMEOUT",
});

export type ExtractPayload = PayloadOf<typeof EXTRACT>;
