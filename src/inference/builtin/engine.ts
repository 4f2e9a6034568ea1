/** The builtin inference engine: deterministic, without network. */
import type { Claim, ExtractedFact, ExtractionRequest } from "../extractor.ts";
import { answering, joined, leans, topicOf } from "./clauses/discourse.ts";
import { applyCorrections } from "./message/corrections.ts";
import { compactText } from "../../kernel/text.ts";
import { checkOutput } from "./limits.ts";
import { ownWords } from "./message/guards.ts";
import { answered } from "./message/replies.ts";
import { splitRequests } from "./message/requests.ts";
import { type Sentence, sentences } from "./message/sentences.ts";
import { type Turn, turns } from "./message/speakers.ts";
import { withTopics } from "./message/topics.ts";
import { withoutComment, withoutVocative } from "./message/vocatives.ts";
import { type Context, type Readers, RULES_ALONE, sentenceFacts } from "./sentence_facts.ts";
import { verbatimFact } from "./verbatim.ts";
import { mergeFacts } from "./merge_facts.ts";
import { TurnTagger } from "./tagged/reading.ts";
import { firstPersonOfAgent, isAboutUser } from "./subjects/agents.ts";
import { rememberOthers } from "./subjects/mentions.ts";

/** Returns the facts of one turn. `asked` is the text of another speaker right before it. */
function turnFacts(
  turn: Turn,
  text: string,
  asked: string | null,
  anchor: number,
  fallback: string | null,
  readers: Readers,
): Promise<ExtractedFact[]> {
  const told = withTopics(sentences(ownWords(text)));
  const said = turn.transcript
    ? addressed(told, turn.speaker.other)
    : turn.agent
    ? ofAgent(told)
    : answered(told, asked).filter((sentence) => !isAboutUser(sentence.text))
      .flatMap(splitRequests);
  const tagger = readers.tagger === null ? null : new TurnTagger(readers.tagger, said);
  const context: Context = { anchor, fallback, mentions: [], turn, readers, tagger, scene: "" };
  return turn.transcript ? transcriptFacts(said, context, asked) : chatFacts(said, context);
}

/** Returns sentences without comments and the name of the person addressed. */
const addressed = (told: readonly Sentence[], other: string | null): readonly Sentence[] =>
  told.map((one) => ({ ...one, text: withoutComment(withoutVocative(one.text, other)) }));

/** Returns what an agent says about the user, in the first person. */
const ofAgent = (told: readonly Sentence[]): readonly Sentence[] =>
  told.filter((one) => isAboutUser(one.text)).flatMap((one) => {
    const text = firstPersonOfAgent(one.text);
    return text ? [{ ...one, text }] : [];
  });

async function chatFacts(
  said: readonly Sentence[],
  context: Context,
): Promise<ExtractedFact[]> {
  const facts: ExtractedFact[] = [];
  for (const [i, { text, question, explicit }] of said.entries()) {
    context.tagger?.moveTo(i);
    const found = await sentenceFacts(text, question, context);
    rememberOthers(text, context.mentions);
    const verbatim = explicit && !question && found.length === 0 ? verbatimFact(text, context) : [];
    facts.push(...found, ...verbatim);
  }
  return facts;
}

/**
 * Returns the facts of a conversation between people, where a sentence may need the one before it,
 * and a reply its question.
 */
async function transcriptFacts(
  said: readonly Sentence[],
  context: Context,
  asked: string | null,
): Promise<ExtractedFact[]> {
  const { display } = context.turn.speaker;
  let topic = asked === null ? null : topicOf(asked);
  const facts: ExtractedFact[] = [];
  let previous: ExtractedFact | undefined;
  for (const [i, { text, question }] of said.entries()) {
    context.tagger?.moveTo(i);
    const found = await sentenceFacts(text, question, context);
    rememberOthers(text, context.mentions);
    const [first, ...rest] = found;
    if (first === undefined) {
      previous = undefined;
      continue;
    }
    const one = previous && leans(text) ? joined(previous, first, display, context.fallback) : null;
    if (one) facts.splice(-1, 1, one, ...rest);
    else if (topic !== null) {
      facts.push(first.claims.length > 0 ? first : answering(first, topic), ...rest);
      topic = null;
    } else facts.push(...found);
    previous = facts.at(-1);
  }
  return facts;
}

/** Returns all facts of a request, in the order of their sentences. */
export async function factsOf(
  request: ExtractionRequest,
  readers: Readers = RULES_ALONE,
): Promise<readonly ExtractedFact[]> {
  const found = turns(request.messages);
  const corrected = applyCorrections(
    found.map((turn) => ({
      speaker: `${turn.speaker.subject}${turn.agent}`,
      text: compactText(turn.text.replace(/[’‘]/g, "'")),
    })),
  );
  const saidBefore = (i: number) => {
    const before = found[i - 1], turn = found[i]!;
    return before &&
        (turn.transcript
          ? before.speaker.subject !== turn.speaker.subject
          : before.agent && !turn.agent)
      ? corrected[i - 1]!.text
      : null;
  };
  const facts: ExtractedFact[] = [];
  for (const [i, turn] of found.entries()) {
    const { text } = corrected[i]!;
    try {
      const date = request.messages[turn.source]?.created_at ?? request.eventDate;
      const anchor = Date.parse(date ?? request.requestTime);
      const found = await turnFacts(turn, text, saidBefore(i), anchor, date, readers);
      checkOutput(text, found);
      facts.push(...found);
    } catch (error) {
      if (!readers.onUnread) throw error;
      readers.onUnread(turn.source, error);
    }
  }
  return mergeFacts(facts);
}

/**
 * Returns the claims of a memory that was stored verbatim. The text may be the user's own words ("I
 * live in Porto") or a record about them ("User lives in Porto"); `date` is the memory's event date
 * or creation time.
 */
export async function claimsOf(
  text: string,
  at: { readonly date: string },
  readers: Readers = RULES_ALONE,
): Promise<readonly Claim[]> {
  const read = (role: string) =>
    factsOf(
      { messages: [{ role, content: text }], eventDate: null, requestTime: at.date },
      readers,
    );
  const facts = [...await read("user"), ...await read("assistant")];
  return mergeFacts(facts).flatMap((fact) => fact.claims);
}
