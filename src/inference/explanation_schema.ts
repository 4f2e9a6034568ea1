/** What the builtin engine explains about a text. */

import { z } from "zod";
import { claimSchema, extractedFactSchema } from "./extractor.ts";

/** A marked span or a closed value. Probabilities are from 0 to 1. */
const spanSchema = z.object({
  attribute: z.string(),
  words: z.string().nullable().meta({
    description: "Words of the sentence; null if the sentence implies the value",
  }),
  value: z.string().nullable().meta({ description: "Only for implied values" }),
  state: z.enum(["holds", "ended", "other", "other_ended"]),
  confidence: z.number(),
}).meta({ id: "ExplainedSpan" });

/** A sentence and what was found in it. */
const sentenceSchema = z.object({
  text: z.string(),
  stopped_by: z.string().nullable().meta({
    description: "Gate that stopped the sentence, e.g. `question` or `hypothesis`",
  }),
  dropped: z.string().nullable().meta({ description: "Reason why findings were dropped" }),
  worth_storing: z.number().nullable().meta({
    description: "The tagger's probability; null if it didn't read the sentence",
  }),
  spans: z.array(spanSchema),
  rules: z.array(z.string()).meta({ description: "Rules that made claims" }),
  memories: z.array(
    extractedFactSchema.pick({ memory: true, memory_type: true }).extend({
      claims: z.array(claimSchema),
    }).meta({ id: "SentenceMemory" }),
  ),
}).meta({ id: "ExplainedSentence" });

/** What the engine reads in a text. */
export const explanationSchema = z.object({
  sentences: z.array(sentenceSchema),
  memories: z.array(
    extractedFactSchema.omit({ sources: true }).meta({ id: "ExplainedMemory" }),
  ).meta({
    description: "What an inferred add of the text would store",
  }),
}).meta({ id: "InferenceExplanation" });

export type Explanation = z.output<typeof explanationSchema>;
