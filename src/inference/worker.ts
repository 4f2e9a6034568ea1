/**
 * Worker thread for the builtin engine. Extracts facts from conversations and claims from texts.
 */

import { trimHeap } from "../kernel/process/heap.ts";
import { lowerPriority } from "../kernel/process/priority.ts";
import { serveRequests } from "../kernel/process/worker_client.ts";
import { explain } from "./explanation.ts";
import type { Explanation } from "./explanation_schema.ts";
import { claimsOf, factsOf } from "./builtin/engine.ts";
import { unreadCode } from "./builtin/limits.ts";
import type {
  Extraction,
  ExtractionRequest,
  TextReading,
  UnreadCode,
  UnreadMessage,
} from "./extractor.ts";
import { type TaggerConfig, TaggerOpener, type TaggerStatus } from "./tagger/opener.ts";

/** Thread name. Clients wait for adds, so the thread for texts has a lower priority. */
export type WorkerName = "adds" | "texts";

/** A verbatim text and the date it was stated. */
export interface StatedText {
  readonly text: string;
  readonly date: string;
}

/** A conversation to extract facts from, verbatim texts to find claims in, or a text to explain. */
export type ReadingRequest =
  & { readonly tagger: TaggerConfig }
  & (
    | { readonly request: ExtractionRequest }
    | { readonly texts: readonly StatedText[] }
    | { readonly explain: StatedText }
  );

/** The response to each: facts and unread messages, readings in the same order, an explanation. */
export type ReadingResponse =
  & { readonly tagger: TaggerStatus }
  & (
    | { readonly extraction: Extraction | { readonly unread: UnreadCode } }
    | { readonly readings: readonly TextReading[] }
    | { readonly explanation: Explanation | { readonly unread: UnreadCode } }
  );

if ((self as { readonly name?: string }).name === "texts" satisfies WorkerName) lowerPriority(0);

const taggers = new TaggerOpener();

async function read(message: ReadingRequest): Promise<ReadingResponse> {
  const { tagger, status } = await taggers.open(message.tagger);
  const readers = { tagger, rules: true };
  if ("request" in message) {
    const unread: UnreadMessage[] = [];
    const onUnread = (index: number, error: unknown) =>
      unread.push({ message: index, code: unreadCode(error) });
    try {
      const facts = await factsOf(message.request, { ...readers, onUnread });
      return { extraction: { facts, unread }, tagger: status };
    } catch (error) {
      return { extraction: { unread: unreadCode(error) }, tagger: status };
    }
  }
  if ("explain" in message) {
    const { text, date } = message.explain;
    try {
      return { explanation: await explain(text, date, tagger), tagger: status };
    } catch (error) {
      return { explanation: { unread: unreadCode(error) }, tagger: status };
    }
  }
  const readings: TextReading[] = [];
  for (const { text, date } of message.texts) {
    try {
      readings.push({ claims: await claimsOf(text, { date }, readers) });
    } catch (error) {
      readings.push({ unread: unreadCode(error) });
    }
  }
  return { readings, tagger: status };
}

// The tagger's runs take turns in threads of a pool, and `malloc` keeps what each of them has freed.
serveRequests((message: ReadingRequest) => read(message).finally(trimHeap));
