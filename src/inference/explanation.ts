/** Explains what the builtin engine reads in a text, sentence by sentence. */

import { factsOf } from "./builtin/engine.ts";
import type { SentenceTrace } from "./builtin/trace.ts";
import type { Explanation } from "./explanation_schema.ts";
import type { Tagger } from "./tagger/mod.ts";

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
