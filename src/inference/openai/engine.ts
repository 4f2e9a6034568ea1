/** The model engine: one call a request to an OpenAI-compatible endpoint, behind the builtin's guards. */
import { ownWords } from "../builtin/message/guards.ts";
import { turns } from "../builtin/message/speakers.ts";
import type { ExtractedFact, ExtractionRequest, Extractor } from "../extractor.ts";
import { factsFromResponse, type SentMessage } from "./response.ts";
import { ChatClient, type ProviderOptions } from "./client.ts";
import { formatInput, INSTRUCTIONS, maxFactsFor, responseSchema } from "./prompt.ts";

/** What is sent: the speakers' own words; of an agent only its statements about the user. */
function sentMessages(request: ExtractionRequest): readonly SentMessage[] {
  return turns(request.messages).flatMap((turn): SentMessage[] => {
    const own = ownWords(turn.text).trim();
    const said = turn.agent
      ? own.split(/(?<=[.!?])\s+/).filter((sentence) => /^(?:the )?user(?:'s)?\b/i.test(sentence))
        .join(" ")
      : own;
    return said ? [{ source: turn.source, speaker: turn.speaker.display, text: said }] : [];
  });
}

/**
 * An engine over an OpenAI-compatible endpoint. It makes one call a request (none when nothing is left to
 * read), and fails rather than storing what it could not read.
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
      // A small model fills what it is allowed to: a sentence became 64 facts, and five minutes.
      const maxFacts = maxFactsFor(
        sent.reduce((sum, one) => sum + one.text.split(/\s+/).length, 0),
      );
      const schema = responseSchema([...new Set(sent.map((one) => one.source))], maxFacts);
      const text = await client.complete(INSTRUCTIONS, formatInput(date, sent), schema, signal);
      return factsFromResponse(text, sent, Date.parse(date), request.eventDate);
    },
  };
}
