/** The interface of inference engines, which turn messages into facts. */
import { z } from "zod";
import { boundedText, memoryText } from "../contract/fields.ts";
import { storedTimestamp } from "../contract/stored_fields.ts";
import { memoryType, type UnreadCode } from "../memories/schema.ts";
import { MAX_MEMORY_CHARACTERS, MAX_VALUE_CHARACTERS } from "./vocabulary.ts";

export type { UnreadCode };

/** A statement about one attribute of one subject. `end` ends a previously valid value. */
export const claimSchema = z.object({
  subject: boundedText(MAX_VALUE_CHARACTERS).min(1),
  attribute: z.string().regex(/^[a-z][a-z0-9_]*(:[\p{Ll}\p{Lo}\p{N}_]+)?$/u).max(80),
  value: boundedText(MAX_VALUE_CHARACTERS).min(1),
  op: z.enum(["assert", "end"]).meta({ id: "ClaimOperation" }),
}).meta({ id: "Claim" });

/** A fact found by an engine, i.e. one memory and its claims. */
export const extractedFactSchema = z.object({
  memory: memoryText.max(MAX_MEMORY_CHARACTERS),
  memory_type: memoryType,
  importance: z.number().min(0).max(1),
  event_date: storedTimestamp.nullable(),
  valid_from: storedTimestamp.nullable(),
  valid_to: storedTimestamp.nullable(),
  claims: z.array(claimSchema),
  sources: z.array(z.number().int().min(0)).min(1),
});

/** A validated claim. */
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** A validated fact. `sources` are indexes into the request's messages. */
export type ExtractedFact = Readonly<z.infer<typeof extractedFactSchema>>;

/** A message as received by engines. `content` is plain text. */
export interface Message {
  readonly role: string;
  readonly content: string;
  /** When it was sent. Relative dates in it refer to this instead of the request's dates. */
  readonly created_at?: string | undefined;
}

/** Input for one extraction: all messages in an add, and the time relative dates refer to. */
export interface ExtractionRequest {
  readonly messages: readonly Message[];
  /** The request's `event_date`, used to resolve relative dates, or null if there isn't one. */
  readonly eventDate: string | null;
  /** Time of the request. Relative dates refer to this if there's no event date. */
  readonly requestTime: string;
}

/** A message that couldn't be read. */
export interface UnreadMessage {
  /** Index into the request's messages. */
  readonly message: number;
  readonly code: UnreadCode;
}

/** What an engine found, and the messages it couldn't read. */
export interface Extraction {
  /** Facts worth storing. An empty list is perfectly normal. */
  readonly facts: readonly ExtractedFact[];
  readonly unread: readonly UnreadMessage[];
}

/** Claims in a text, or the reason why it couldn't be read. */
export type TextReading =
  | { readonly claims: readonly Claim[] }
  | { readonly unread: UnreadCode };

/** An inference engine. */
export interface Extractor {
  /** Name used in configuration and health: `builtin` or `openai`. */
  readonly name: string;
  /**
   * Reads a request. A message that can't be read doesn't affect the other ones.
   *
   * @throws {ProviderError} if a provider fails, or can't read any of the messages
   */
  extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction>;
}
