/** Schemas for inference events, i.e. inferred adds without their input. */

import { z } from "zod";
import { pageFields, pageOf, timestampOutput } from "../contract/fields.ts";
import { unreadCode, writeResult } from "../memories/schema.ts";
import { taskError } from "../operations/schema.ts";

const EVENT_STATUSES = ["PENDING", "RUNNING", "RETRYING", "SUCCEEDED", "FAILED"] as const;
export type EventStatus = typeof EVENT_STATUSES[number];

const eventStatus = z.enum(EVENT_STATUSES).meta({ id: "EventStatus" });

export const writeSummary = z.object({
  outcome: z.enum(["STORED", "NO_MEMORY"]).meta({ id: "WriteOutcome" }),
  planned: z.int(),
  persisted: z.int(),
  failed: z.int(),
}).meta({ id: "WriteSummary" });

/** Part of an add that inference couldn't read. The other messages aren't affected. */
export const inferenceWarning = z.object({
  code: z.literal("MESSAGES_UNREAD"),
  reason: unreadCode,
  messages: z.array(z.int()).meta({ description: "Positions of the messages, from 0" }),
}).meta({ id: "InferenceWarning" });
export type InferenceWarning = z.output<typeof inferenceWarning>;

export const eventSchema = z.object({
  id: z.string(),
  event_type: z.literal("ADD"),
  status: eventStatus,
  scope: z.object({
    user_id: z.string().optional(),
    agent_id: z.string().optional(),
    run_id: z.string().optional(),
  }),
  results: z.array(writeResult),
  write_summary: writeSummary.optional(),
  warnings: z.array(inferenceWarning).optional(),
  attempts: z.int(),
  max_attempts: z.int(),
  error: taskError.nullable(),
  created_at: timestampOutput,
  updated_at: timestampOutput,
  started_at: timestampOutput.nullable(),
  completed_at: timestampOutput.nullable(),
  latency_ms: z.int().nullable(),
}).meta({ id: "InferenceEvent" });

export type InferenceEvent = z.output<typeof eventSchema>;

export const eventQuery = z.object({ status: eventStatus.optional(), ...pageFields });
export const eventPage = pageOf(eventSchema);
export const eventParams = z.object({ id: z.string() });
