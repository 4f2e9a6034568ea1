/** A thread in which the builtin engine reads: conversations for their facts, texts for their claims. */

import { lowerPriority } from "../kernel/priority.ts";
import { serveRequests } from "../kernel/worker_client.ts";
import { claimsOf, factsOf } from "./builtin/engine.ts";
import type { Claim, ExtractedFact, ExtractionRequest } from "./extractor.ts";

/** What a thread is named: who waits for an add comes before the texts that nobody waits for. */
export type WorkerName = "adds" | "texts";

/** What is asked of the thread that reads adds. */
export interface FactsRequest {
  readonly request: ExtractionRequest;
}
export interface FactsResponse {
  readonly facts: readonly ExtractedFact[];
}

/** What is asked of the thread that reads verbatim texts; the claims of each, in their order. */
export interface ClaimsRequest {
  readonly texts: readonly { readonly text: string; readonly date: string }[];
}
export interface ClaimsResponse {
  readonly claims: readonly (readonly Claim[])[];
}

if ((self as { readonly name?: string }).name === "texts" satisfies WorkerName) lowerPriority(0);

serveRequests((question: FactsRequest | ClaimsRequest): FactsResponse | ClaimsResponse =>
  "request" in question
    ? { facts: factsOf(question.request) }
    : { claims: question.texts.map(({ text, date }) => claimsOf(text, { date })) }
);
