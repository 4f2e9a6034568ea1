/** A thread in which the builtin engine reads: conversations for their facts, texts for their claims. */

import { yieldToOthers } from "../kernel/priority.ts";
import { answerQuestions } from "../kernel/worker_client.ts";
import { claimsOf, factsOf } from "./builtin/engine.ts";
import type { Claim, ExtractionRequest, RefinedFact } from "./extractor.ts";

/** What a thread is named: who waits for an add comes before the texts that nobody waits for. */
export type ThreadName = "adds" | "texts";

/** One of the two things that the engine can be asked. */
export type Question =
  | { readonly request: ExtractionRequest }
  | { readonly texts: readonly { readonly text: string; readonly date: string }[] };

/** What it answers to either. */
export interface Answer {
  readonly facts?: readonly RefinedFact[];
  readonly claims?: readonly (readonly Claim[])[];
}

if ((self as { readonly name?: string }).name === "texts" satisfies ThreadName) yieldToOthers(0);

answerQuestions((question: Question): Answer =>
  "request" in question
    ? { facts: factsOf(question.request) }
    : { claims: question.texts.map(({ text, date }) => claimsOf(text, { date })) }
);
