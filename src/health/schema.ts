/** Schema of the health endpoint. */

import { z } from "zod";
import { timestampOutput } from "../contract/fields.ts";

const counts = z.object({ pending: z.int(), oldest_pending_at: timestampOutput.nullable() });

const processSchema = z.object({
  id: z.string().meta({ description: "Differs for each start" }),
  version: z.string(),
  since: timestampOutput,
  leads: z.boolean().meta({
    description: "Whether it does the work that only one process does at a time",
  }),
  copies: z.object({
    filling: z.int().meta({ description: "Copies that lack so much that searches wait for them" }),
    current_at: timestampOutput.nullable().meta({
      description: "When all copies were last brought up to date; null before the first time",
    }),
  }).meta({ id: "SearchCopies" }).nullable().meta({
    description: "Its search copies of all projects; null if it hasn't reported them lately",
  }),
}).meta({ id: "ServiceProcess" });

export const healthSchema = z.object({
  status: z.enum(["ok", "degraded"]).meta({ id: "HealthStatus" }),
  checked_at: timestampOutput,
  engine: z.object({
    configured: z.boolean(),
    initialized: z.boolean(),
    code: z.string().nullable(),
  }),
  operations: counts.extend({ failed: z.int() }),
  tasks: counts.extend({ dead: z.int() }),
  embedder: z.object({
    model: z.string().nullable().meta({ description: "Null without one, or before its first use" }),
    runtime: z.enum(["native", "wasm", "static", "http"]).meta({ id: "EmbedderRuntime" })
      .nullable(),
    fault: z.string().nullable().meta({
      description: "Reason why the best embedder is not in use",
    }),
    advice: z.string().nullable().meta({
      description:
        "What to change if the model doesn't suit the language of the latest texts, or " +
        "if the vectors don't fit into memory",
    }),
  }),
  tagger: z.object({
    model: z.enum(["minilm", "e5"]).nullable().meta({
      description: "Null without one, or before its first use",
    }),
    runtime: z.enum(["native", "wasm"]).meta({ id: "TaggerRuntime" }).nullable(),
    fault: z.string().nullable().meta({ description: "Reason why the best runtime is not in use" }),
  }),
  projections: z.object({
    vector_pending: z.int(),
    vectors_per_second: z.int().nullable().meta({
      description:
        "Texts embedded per second in all projects; 0 if none are waiting, null while unknown",
    }),
    vector_seconds_left: z.int().nullable().meta({
      description:
        "Time until all texts of this project have vectors, in seconds at this rate; 0 " +
        "if none are waiting, null while unknown",
    }),
    derived_pending: z.int(),
  }).meta({ id: "HealthProjections" }),
  warnings: z.object({ last_24h: z.int() }),
  unread_texts: z.int().meta({ description: "Texts that inference couldn't read" }),
  processes: z.array(processSchema).meta({
    description: "Processes of the service on one PostgreSQL database; empty on SQLite",
  }),
}).meta({ id: "Health" });

export type Health = z.output<typeof healthSchema>;
