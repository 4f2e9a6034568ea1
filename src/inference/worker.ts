/**
 * Worker thread for the builtin engine. Extracts facts from conversations and claims from texts.
 */

import { lowerPriority } from "../kernel/priority.ts";
import { serveRequests } from "../kernel/worker_client.ts";
import { claimsOf, factsOf } from "./builtin/engine.ts";
import type { Claim, ExtractedFact, ExtractionRequest } from "./extractor.ts";
import { type TaggerConfig, TaggerOpener, type TaggerStatus } from "./tagger/opener.ts";

/** Thread name. Clients wait for adds, so the thread for texts has a lower priority. */
export type WorkerName = "adds" | "texts";

/** A request to the thread for adds. */
export interface FactsRequest {
  readonly tagger: TaggerConfig;
  readonly request: ExtractionRequest;
}
/** Facts found in the conversation. */
export interface FactsResponse {
  readonly tagger: TaggerStatus;
  readonly facts: readonly ExtractedFact[];
}

/** A request to the thread for verbatim texts. */
export interface ClaimsRequest {
  readonly tagger: TaggerConfig;
  readonly texts: readonly { readonly text: string; readonly date: string }[];
}
/** Claims per text, in the same order as the texts. */
export interface ClaimsResponse {
  readonly tagger: TaggerStatus;
  readonly claims: readonly (readonly Claim[])[];
}

if ((self as { readonly name?: string }).name === "texts" satisfies WorkerName) lowerPriority(0);

const taggers = new TaggerOpener();

serveRequests(
  async (message: FactsRequest | ClaimsRequest): Promise<FactsResponse | ClaimsResponse> => {
    const { tagger, status } = await taggers.open(message.tagger);
    const readers = { tagger, rules: true };
    if ("request" in message) {
      return { facts: await factsOf(message.request, readers), tagger: status };
    }
    const claims: (readonly Claim[])[] = [];
    for (const { text, date } of message.texts) {
      claims.push(await claimsOf(text, { date }, readers));
    }
    return { claims, tagger: status };
  },
);
