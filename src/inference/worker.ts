/**
 * Worker thread for the builtin engine. Extracts facts from conversations and claims from texts.
 */

import { lowerPriority } from "../kernel/priority.ts";
import { serveRequests } from "../kernel/worker_client.ts";
import { claimsOf, factsOf } from "./builtin/engine.ts";
import type { Claim, ExtractedFact, ExtractionRequest } from "./extractor.ts";

/** Thread name. Clients wait for adds, so the thread for texts has a lower priority. */
export type WorkerName = "adds" | "texts";

/** A request to the thread for adds. */
export interface FactsRequest {
  readonly request: ExtractionRequest;
}
/** Facts found in the conversation. */
export interface FactsResponse {
  readonly facts: readonly ExtractedFact[];
}

/** A request to the thread for verbatim texts. */
export interface ClaimsRequest {
  readonly texts: readonly { readonly text: string; readonly date: string }[];
}
/** Claims per text, in the same order as the texts. */
export interface ClaimsResponse {
  readonly claims: readonly (readonly Claim[])[];
}

if ((self as { readonly name?: string }).name === "texts" satisfies WorkerName) lowerPriority(0);

serveRequests(
  async (message: FactsRequest | ClaimsRequest): Promise<FactsResponse | ClaimsResponse> => {
    if ("request" in message) return { facts: await factsOf(message.request) };
    const claims: (readonly Claim[])[] = [];
    for (const { text, date } of message.texts) claims.push(await claimsOf(text, { date }));
    return { claims };
  },
);
