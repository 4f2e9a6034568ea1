/**
 * The `openai` engine makes one call per request to an OpenAI-compatible endpoint, after the same
 * input filters as the builtin engine.
 */
import { ownWords } from "../builtin/message/guards.ts";
import { turns } from "../builtin/message/speakers.ts";
import type { ExtractedFact, ExtractionRequest, Extractor } from "../extractor.ts";
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
    return text ? [{ source: turn.source, speaker: turn.speaker.display, text }] : [];
  });
}

/**
 * Creates an engine for an OpenAI-compatible endpoint. It makes one call per request, or none if
 * there's no text left to send. If the response is unusable, the extraction fails and nothing is
 * stored.
 */
export function openaiExtractor(options: ProviderOptions): Extractor {
  const client = new ChatClient(options);
  return {
    name: "openai",
    async extract(
      request: ExtractionRequest,
      signal?: AbortSignal,
    ): Promise<readonly ExtractedFact[]> {
      const sent = sentMessages(request);
      if (!sent.length) return [];
      const date = request.eventDate ?? request.requestTime;
      // The number of facts is limited by input length, since small models use up the whole limit:
      // a single sentence became 64 facts and took five minutes.
      const maxFacts = maxFactsFor(
        sent.reduce((sum, message) => sum + message.text.split(/\s+/).length, 0),
      );
      const schema = responseSchema([...new Set(sent.map(({ source }) => source))], maxFacts);
      const text = await client.complete(INSTRUCTIONS, formatInput(date, sent), schema, signal);
      return factsFromResponse(text, sent, Date.parse(date), request.eventDate);
    },
  };
}
