/** Explains what the builtin engine reads in a text, sentence by sentence. */

import { z } from "zod";
import { factsOf } from "./builtin/engine.ts";
import type { SentenceTrace } from "./builtin/trace.ts";
import { claimSchema, extractedFactSchema } from "./extractor.ts";
import type { Tagger } from "./tagger/mod.ts";

/** A marked span or a closed value. Probabilities are from 0 to 1. */
const spanSchema = z.object({
  attribute: z.string(),
  words: z.string().nullable().meta({
    description: "Words of the sentence; null if the sentence implies the value",
  }),
  value: z.string().nullable().meta({ description: "Only for implied values" }),
  state: z.enum(["holds", "ended", "other", "other_ended"]),
  confidence: z.number(),
});

/** A sentence and what became of it. */
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
    }),
  ),
});

/** What the engine reads in a text. */
export const explanationSchema = z.object({
  sentences: z.array(sentenceSchema),
  memories: z.array(extractedFactSchema.omit({ sources: true })).meta({
    description: "What an inferred add of the text would store",
  }),
}).meta({ id: "InferenceExplanation" });

export type Explanation = z.output<typeof explanationSchema>;

/** Reads a text as a user's message, and explains the result. `date` is when it was said. */
export async function explain(
  text: string,
  date: string,
  tagger: Tagger | null,
): Promise<Explanation> {
  const traces: SentenceTrace[] = [];
  const facts = await factsOf(
    { messages: [{ role: "user", content: text }], eventDate: null, requestTime: date },
    { tagger, rules: true, trace: (sentence) => traces.push(sentence) },
  );
  return {
    sentences: traces.map(sentenceOf),
    memories: facts.map(({ sources: _, ...fact }) => fact),
  };
}

function sentenceOf(trace: SentenceTrace): Explanation["sentences"][number] {
  const { text, stopped, dropped, tags, rules, facts } = trace;
  const spans = tags?.spans.map(({ attribute, start, end, state, confidence }) => ({
    attribute,
    words: text.slice(start, end),
    value: null,
    state,
    confidence,
  })) ?? [];
  const labels = tags?.labels.map(({ attribute, value, ended, confidence }) => ({
    attribute,
    words: null,
    value,
    state: ended ? "ended" as const : "holds" as const,
    confidence,
  })) ?? [];
  return {
    text,
    stopped_by: stopped,
    dropped,
    worth_storing: tags?.store ?? null,
    spans: [...spans, ...labels],
    rules: [...rules],
    memories: facts.map(({ memory, memory_type, claims }) => ({ memory, memory_type, claims })),
  };
}
