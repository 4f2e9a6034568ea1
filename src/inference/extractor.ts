/** The `Extractor` port: what every inference engine takes (messages) and gives (refined facts). */
import { z } from "zod";
import { boundedText, memoryText, storedTimestamp } from "../contract/fields.ts";
import { MEMORY_TYPES } from "../memories/schema.ts";

/** At most this many characters of text in one memory: one sentence. */
export const MAX_MEMORY_CHARACTERS = 300;

/** At most this many characters in the value of a claim. */
export const MAX_VALUE_CHARACTERS = 120;

/** A statement about one attribute of one subject; `end` closes a value that held before. */
export const claimSchema = z.object({
  subject: boundedText(MAX_VALUE_CHARACTERS).min(1),
  attribute: z.string().regex(/^[a-z][a-z0-9_]*(:[\p{Ll}\p{Lo}\p{N}_]+)?$/u).max(80),
  value: boundedText(MAX_VALUE_CHARACTERS).min(1),
  op: z.enum(["assert", "end"]),
});

/** What an engine makes of a piece of a conversation: one memory, with the claims that it carries. */
export const extractedFactSchema = z.object({
  memory: memoryText.max(MAX_MEMORY_CHARACTERS),
  memory_type: z.enum(MEMORY_TYPES),
  importance: z.number().min(0).max(1),
  event_date: storedTimestamp.nullable(),
  valid_from: storedTimestamp.nullable(),
  valid_to: storedTimestamp.nullable(),
  claims: z.array(claimSchema),
  sources: z.array(z.number().int().min(0)).min(1),
});

/** A validated claim. */
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** A validated fact; `sources` are indexes into the messages of the request. */
export type ExtractedFact = Readonly<z.infer<typeof extractedFactSchema>>;

/** A message as the engine sees it; `content` is plain text. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** One extraction: all messages of one add, and the two instants that relative dates may hang on. */
export interface ExtractionRequest {
  readonly messages: readonly Message[];
  /** ISO timestamp that the client gave, the anchor of relative dates; null when it gave none. */
  readonly eventDate: string | null;
  /** ISO timestamp of the request, the anchor when there is no event date. */
  readonly requestTime: string;
}

/** An inference engine. */
export interface Extractor {
  /** Name in configuration and health: `builtin` or `openai`. */
  readonly name: string;
  /**
   * The facts worth keeping; an empty list is a normal answer.
   * @throws {ProviderError} when an engine that depends on a provider could not get a valid answer.
   */
  extract(request: ExtractionRequest, signal?: AbortSignal): Promise<readonly ExtractedFact[]>;
}
