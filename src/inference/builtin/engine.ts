/** The builtin inference engine: deterministic, without network, one memory a fact with its claims. */
import type { Claim, ExtractedFact, ExtractionRequest } from "../extractor.ts";
import {
  claimKey,
  comparable,
  importanceOf,
  isSingleValued,
  slotKey,
  tidyValue,
} from "../vocabulary.ts";
import { withoutComment, withoutVocative } from "./message/vocatives.ts";
import { firstPersonOfAgent, isAboutUser } from "./subjects/agents.ts";
import { answered } from "./message/replies.ts";
import { beside } from "./clauses/embedded_statements.ts";
import { applyCorrections } from "./message/corrections.ts";
import { datePhrases } from "../../kernel/dates/phrases.ts";
import { validityOf } from "./dates/validity.ts";
import { besideGate, gate } from "./message/gates.ts";
import { ownWords } from "./message/guards.ts";
import { answering, joined, leans, topicOf } from "./clauses/discourse.ts";
import { withSubject } from "./clauses/ellipsis.ts";
import { introduced } from "./subjects/mentions.ts";
import { instruction } from "./rules/instruct.ts";
import { type Sentence, sentences } from "./message/sentences.ts";
import { type Turn, turns } from "./message/speakers.ts";
import { type Mentions, type Statement, statements } from "./statements.ts";
import { thirdPersonText } from "./subjects/third_person.ts";
import { withTopics } from "./message/topics.ts";
import { typeOf } from "./types.ts";
import { expand, singular } from "./clauses/normalize.ts";
import { isEnglish, isWorthKeeping, type Place } from "./message/retention.ts";

/** What a sentence's facts depend on. */
interface Context {
  readonly anchor: number;
  readonly fallback: string | null;
  readonly mentions: Mentions;
  readonly turn: Turn;
  /** Date phrase of a sentence that only sets the scene ("Yesterday was wild."). */
  scene: string;
}

const toClaims = (statement: Statement): Claim[] =>
  statement.drafts.map((draft) => ({
    subject: draft.subject,
    attribute: draft.attribute,
    value: tidyValue(draft.value),
    op: draft.op ?? "assert",
  }));

/** `clause` is the part of a longer statement that its date phrases stand in. */
function factOf(
  statement: Statement,
  context: Context,
  clause: string = statement.text,
): ExtractedFact {
  const claims = toClaims(statement);
  const memory_type = typeOf(statement, claims, context.anchor);
  const lasting = claims.length > 0 && !/^(?:todo|goal|event|decision)$/.test(memory_type);
  const phrases = datePhrases(clause, context.anchor, "past").length > 0;
  const dated = !phrases && context.scene ? `${clause} ${context.scene}` : clause;
  const validity = validityOf(dated, context.anchor, context.fallback, lasting);
  return {
    memory: thirdPersonText(statement.text, context.turn.speaker),
    memory_type,
    importance: importanceOf(memory_type, claims),
    ...validity,
    claims,
    sources: [context.turn.source],
  };
}

const placeOf = (context: Context): Place => ({
  transcript: context.turn.transcript,
  anchor: context.anchor,
});

/** The only clause that has a date: its verb tells on which side of now that date lies. */
function datedClause(found: readonly Statement[], { anchor }: Context): string | null {
  const dated = found.filter((one) => datePhrases(one.text, anchor, "past").length > 0);
  return dated.length === 1 ? dated[0]!.text : null;
}

function assemble(text: string, found: readonly Statement[], context: Context): ExtractedFact[] {
  const claimed = found.filter((one) => one.drafts.length > 0);
  if (!claimed.length) {
    const main = found[0];
    if (!main) return [];
    const whole = found.length === 1 ? main.text : text;
    return isWorthKeeping(whole, { ...main, matched: false }, placeOf(context))
      ? [
        factOf(
          { ...main, text: whole, negative: found.some((one) => one.negative) },
          context,
          found.length > 1 ? datedClause(found, context) ?? whole : whole,
        ),
      ]
      : [];
  }
  if (
    context.turn.transcript && found.length > 1 && claimed.length === 1 &&
    text.split(/\s+/).length <= 30
  ) {
    return [factOf({ ...claimed[0]!, text }, context)];
  }
  const out: ExtractedFact[] = [];
  let previous: Statement | null = null;
  const kept: Statement[] = [];
  for (const one of found) {
    if (one.drafts.length) kept.push(previous = one);
    else if (
      previous && /^(?:because|since|as|so|while|although|though|where)$/.test(one.join) &&
      kept.length && !datePhrases(one.text, context.anchor, "future").length
    ) {
      const last: Statement = kept[kept.length - 1]!;
      kept[kept.length - 1] = { ...last, text: `${last.text} ${one.join} ${one.text}` };
    } else if (one.speaker && isWorthKeeping(one.text, one, placeOf(context))) kept.push(one);
  }
  for (const one of kept) out.push(factOf(one, context));
  return out;
}

const SCENE =
  /^(?:so,? )?((?:(?!\b(?:I|my|he|she|they)\b).){3,30}) (?:was|is|were) (?:(?:so|really|quite|a|an|pretty|very|such) )*\p{L}+(?: \p{L}+)?$/iu;

function sentenceFacts(text: string, question: boolean, context: Context): ExtractedFact[] {
  const chat = !context.turn.transcript;
  if (!context.turn.agent && chat && !question) {
    const told = instruction(expand(text));
    if (told) {
      const statement: Statement = {
        text: told.text,
        drafts: told.drafts.map((draft) => ({ ...draft, subject: context.turn.speaker.subject })),
        type: "preference",
        negative: false,
        matched: true,
        speaker: true,
        join: "",
      };
      return [factOf(statement, context)];
    }
  }
  const stopped = gate(text, question, chat);
  if (stopped === "hypothesis" || stopped === "idiom") {
    const told = besideGate(text, chat);
    return told === null ? [] : sentenceFacts(told, question, context);
  }
  if (stopped === "question" || stopped === "request") {
    const told = chat ? beside(text) : null;
    const asked = introduced(singular(expand(text)), context.turn.speaker);
    if (asked) context.mentions.push(asked);
    return told === null ? [] : sentenceFacts(told, false, context);
  }
  if (stopped !== null || !isEnglish(text)) return [];
  const scene = SCENE.exec(text);
  const phrase = scene ? datePhrases(scene[1]!, context.anchor, "past")[0] : undefined;
  if (phrase && chat && phrase.text.length >= scene![1]!.trim().length - 3) {
    context.scene = phrase.text;
    return [];
  }
  const canonical = withSubject(singular(expand(text)));
  const facts = assemble(
    canonical,
    statements(text, context.mentions, context.turn.speaker, context.anchor),
    context,
  );
  if (facts.length) context.scene = "";
  return facts;
}

/** The facts of one turn; `asked` is what another speaker said right before it. */
function turnFacts(
  turn: Turn,
  text: string,
  asked: string | null,
  anchor: number,
  fallback: string | null,
): ExtractedFact[] {
  const context: Context = { anchor, fallback, mentions: [], turn, scene: "" };
  const read = turn.transcript ? transcriptFacts : chatFacts;
  return read(withTopics(sentences(ownWords(text))), context, asked);
}

function chatFacts(
  told: readonly Sentence[],
  context: Context,
  asked: string | null,
): ExtractedFact[] {
  return answered(told, asked).flatMap(({ text, question }) => {
    const about = isAboutUser(text);
    if (context.turn.agent !== about) return [];
    const own = about ? firstPersonOfAgent(text) : text;
    return own ? sentenceFacts(own, question, context) : [];
  });
}

/** In a conversation between people sentences lean on each other, and answers on their questions. */
function transcriptFacts(
  told: readonly Sentence[],
  context: Context,
  asked: string | null,
): ExtractedFact[] {
  const { display, other } = context.turn.speaker;
  let topic = asked === null ? null : topicOf(asked);
  const facts: ExtractedFact[] = [];
  let previous: ExtractedFact | undefined;
  for (const { text, question } of told) {
    const own = withoutComment(withoutVocative(text, other));
    const found = sentenceFacts(own, question, context);
    const [first, ...rest] = found;
    if (first === undefined) {
      previous = undefined;
      continue;
    }
    const one = previous && leans(own) ? joined(previous, first, display, context.fallback) : null;
    if (one) facts.splice(-1, 1, one, ...rest);
    else if (topic !== null) {
      facts.push(first.claims.length > 0 ? first : answering(first, topic), ...rest);
      topic = null;
    } else facts.push(...found);
    previous = facts.at(-1);
  }
  return facts;
}

/** What nobody does to the same thing at once. */
const OPPOSITE: Readonly<Record<string, string>> = { likes: "dislikes", dislikes: "likes" };

/** Facts about the same thing said twice in one request are one; of two values of a slot the later holds. */
function settled(facts: readonly ExtractedFact[]): readonly ExtractedFact[] {
  const texts = new Set<string>(), last = new Map<string, string>(), seen = new Set<string>();
  const tastes = new Map<string, number>();
  facts.forEach((fact, at) => {
    for (const claim of fact.claims) {
      if (claim.op === "end") continue;
      if (isSingleValued(claim.attribute)) last.set(slotKey(claim), comparable(claim.value));
      if (OPPOSITE[claim.attribute] !== undefined) tastes.set(claimKey(claim), at);
    }
  });
  return facts.flatMap((fact, at): ExtractedFact[] => {
    if (texts.has(comparable(fact.memory))) return [];
    texts.add(comparable(fact.memory));
    const claims = fact.claims.filter((claim) => {
      const key = `${claimKey(claim)}\n${claim.op}`;
      if (seen.has(key)) return false;
      seen.add(key);
      if (claim.op === "end") return true;
      if (isSingleValued(claim.attribute)) {
        return last.get(slotKey(claim)) === comparable(claim.value);
      }
      const opposite = OPPOSITE[claim.attribute];
      return opposite === undefined ||
        (tastes.get(claimKey({ ...claim, attribute: opposite })) ?? -1) <= at;
    });
    return [{ ...fact, claims }];
  });
}

/** All facts of a request, in the order in which they were said. */
export function factsOf(request: ExtractionRequest): readonly ExtractedFact[] {
  const anchor = Date.parse(request.eventDate ?? request.requestTime);
  const found = turns(request.messages);
  const corrected = applyCorrections(
    found.map((turn) => ({
      speaker: `${turn.speaker.subject}${turn.agent}`,
      text: turn.text.replace(/[’‘]/g, "'"),
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
  const facts = found.flatMap((turn, i) =>
    turnFacts(turn, corrected[i]!.text, saidBefore(i), anchor, request.eventDate)
  );
  return settled(facts);
}

/**
 * Claims of a memory that was stored verbatim. The text may be the user's own words ("I live in Porto")
 * or a record about them ("User lives in Porto"); `date` is the memory's event date or creation time.
 */
export function claimsOf(text: string, at: { readonly date: string }): readonly Claim[] {
  const own = factsOf({
    messages: [{ role: "user", content: text }],
    eventDate: null,
    requestTime: at.date,
  });
  const told = factsOf({
    messages: [{ role: "assistant", content: text }],
    eventDate: null,
    requestTime: at.date,
  });
  return settled([...own, ...told]).flatMap((fact) => fact.claims);
}
