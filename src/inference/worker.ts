/** A thread in which the builtin engine reads: conversations for their facts, texts for their claims. */

import { yieldToOthers } from "../kernel/priority.ts";
import { answerQuestions } from "../kernel/worker_client.ts";
import { claimsOf, factsOf } from "./builtin/engine.ts";
import type { Claim, ExtractionRequest, RefinedFact } from "./extractor.ts";

/** What a thread is named: who waits for an add comes before the texts that nobody waits for. */
export type ThreadName = "adds" | "texts";

/** What is asked of the thread that reads adds. */
export interface FactsQuestion {
  readonly request: ExtractionRequest;
}
export interface FactsAnswer {
  readonly facts: readonly RefinedFact[];
}

/** What is asked of the thread that reads verbatim texts; the claims of each, in their order. */
export interface ClaimsQuestion {
  readonly texts: readonly { readonly text: string; readonly date: string }[];
}
export interface ClaimsAnswer {
  readonly claims: readonly (readonly Claim[])[];
}

if ((self as { readonly name?: string }).name === "texts" satisfies ThreadName) yieldToOthers(0);

answerQuestions((question: FactsQuestion | ClaimsQuestion): FactsAnswer | ClaimsAnswer =>
  "request" in question
    ? { facts: factsOf(question.request) }
    : { claims: question.texts.map(({ text, date }) => claimsOf(text, { date })) }
);
