/**
 * The `openai` engine makes one call per request to an OpenAI-compatible endpoint, after the same
 * input filters as the builtin engine.
 */
import { ownWords } from "../builtin/message/guards.ts";
import { turns } from "../builtin/message/speakers.ts";
import type {
  ExtractedFact,
  Extraction,
  ExtractionRequest,
  Extractor,
  UnreadMessage,
} from "../extractor.ts";
import { ProviderError } from "./errors.ts";
import { factsFromResponse, type SentMessage } from "./response.ts";
import { ChatClient, type ProviderOptions } from "./client.ts";
import { formatInput, INSTRUCTIONS, maxFactsFor, responseSchema } from "./prompt.ts";

/**
 * Returns the messages to send: the speakers' own words, and only statements about the user from
 * agents.
 */
function sentMessages(request: ExtractionRequest): readonly SentMessage[] {
  return turns(request.messages).flatMap((turn): SentMessage[] => {
    const words = ownWords(turn.text).trim();
    const text = turn.agent
      ? words.split(/(?<=[.!?])\s+/).filter((sentence) => /^(?:the )?user(?:'s)?\b/i.test(sentence))
        .join(" ")
      : words;
    const date = request.messages[turn.source]?.created_at ?? request.eventDate;
    return text ? [{ source: turn.source, speaker: turn.speaker.display, text, date }] : [];
  });
}

/**
 * Maximum number of messages to read one by one after an unusable response. In a longer conversation,
 * the whole attempt fails.
 */
const MAX_SINGLE_MESSAGES = 50;

/** How long to read messages one by one, in milliseconds. The ones behind are left unread. */
const SINGLE_MESSAGES_LIMIT_MS = 4 * 60_000;

/**
 * Creates an engine for an OpenAI-compatible endpoint. It makes one call per request, or none if
 * there's no text left to send. After an unusable response, each message is sent alone, to find the
 * ones at fault. If none of them can be read, the extraction fails and nothing is stored.
 */
export function openaiExtractor(options: ProviderOptions): Extractor {
  const client = new ChatClient(options);

  async function readTogether(
    sent: readonly SentMessage[],
    { eventDate, requestTime }: ExtractionRequest,
    signal: AbortSignal | undefined,
  ): Promise<readonly ExtractedFact[]> {
    // The number of facts is limited by input length, since small models use up the whole limit:
    // a single sentence became 64 facts and took five minutes.
    const maxFacts = maxFactsFor(
      sent.reduce((sum, message) => sum + message.text.split(/\s+/).length, 0),
    );
    const schema = responseSchema([...new Set(sent.map(({ source }) => source))], maxFacts);
    const text = await client.complete(
      INSTRUCTIONS,
      formatInput(eventDate ?? requestTime, sent),
      schema,
      signal,
    );
    return factsFromResponse(text, sent, requestTime);
  }

  return {
    name: "openai",
    async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
      const sent = sentMessages(request);
      if (!sent.length) return { facts: [], unread: [] };
      try {
        return { facts: await readTogether(sent, request, signal), unread: [] };
      } catch (error) {
        if (!isUnusable(error) || sent.length === 1 || sent.length > MAX_SINGLE_MESSAGES) {
          throw error;
        }
        const facts: ExtractedFact[] = [];
        const unread: UnreadMessage[] = [];
        const end = options.now() + SINGLE_MESSAGES_LIMIT_MS;
        for (const message of sent) {
          const left = end - options.now();
          if (left <= 0) {
            unread.push({ message: message.source, code: "TIME_LIMIT" });
            continue;
          }
          const limit = AbortSignal.timeout(left);
          const stop = signal ? AbortSignal.any([signal, limit]) : limit;
          try {
            facts.push(...await readTogether([message], request, stop));
          } catch (cause) {
            if (limit.aborted && !signal?.aborted) {
              unread.push({ message: message.source, code: "TIME_LIMIT" });
              continue;
            }
            // The endpoint's own failures aren't the message's fault.
            if (!isUnusable(cause)) throw cause;
            unread.push({ message: message.source, code: "PROVIDER_INVALID_RESPONSE" });
          }
        }
        if (unread.length === sent.length) throw error;
        return { facts, unread };
      }
    },
  };
}

function isUnusable(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "PROVIDER_INVALID_RESPONSE";
}
