/** Reads one sentence: gates, then rules and tagger, then facts with their texts and dates. */
import type { Claim, ExtractedFact } from "../extractor.ts";
import { importanceOf, memoryTypeOf, tidyValue } from "../vocabulary.ts";
import { datePhrases } from "../../kernel/dates/phrases.ts";
import type { Tagger } from "../tagger/mod.ts";
import { statementBesideQuestion } from "./clauses/embedded_statements.ts";
import { clearFacts } from "./clear_texts.ts";
import { withSubject } from "./clauses/ellipsis.ts";
import { expand, singular } from "./clauses/normalize.ts";
import { validityOf } from "./dates/validity.ts";
import { besideGate, gate } from "./message/gates.ts";
import { isEnglish, isWorthKeeping, outlastsState, type Place } from "./message/retention.ts";
import type { Turn } from "./message/speakers.ts";
import { instructed } from "./instructions.ts";
import { inOrder, type Mentions, type Statement, statements } from "./statements.ts";
import { type Referring, referring } from "./subjects/antecedents.ts";
import { introduced } from "./subjects/mentions.ts";
import { thirdPersonText } from "./subjects/third_person.ts";
import { type TaggedClaim, taggedClaims } from "./tagged/claims.ts";
import {
  addedClaims,
  dividedAmong,
  hostOf,
  isPersonal,
  toClaim,
  withClaims,
} from "./tagged/combine.ts";
import { foreignRelatives, withForeignWords } from "./tagged/foreign.ts";
import type { Language } from "./lexicon/languages.ts";
import { languageOf } from "./tagged/languages.ts";
import { peopleIn, withRelations } from "./tagged/people.ts";
import { bringUp, withNames } from "./tagged/mentions.ts";
import { type Reading, readSentence, type TurnTagger } from "./tagged/reading.ts";
import { claimText } from "./tagged/templates.ts";
import { ALONE, FOREIGN, GATED, IMPERSONAL, IN_CHAT, IN_TRANSCRIPT } from "./tagged/thresholds.ts";
import { verifiedStatements } from "./tagged/verify.ts";
import type { SentenceTrace, Trace } from "./trace.ts";
import { typeOf } from "./types.ts";

/** The readers of a sentence that passed the gates. Evaluation turns one of the two off. */
export interface Readers {
  readonly tagger: Tagger | null;
  readonly rules: boolean;
  readonly trace?: Trace;
  /** Receives messages that can't be read. Without it, their exceptions are thrown. */
  readonly onUnread?: (message: number, error: unknown) => void;
}

export const RULES_ALONE: Readers = { tagger: null, rules: true };

/** The context that a sentence's facts depend on. */
export interface Context {
  readonly anchor: number;
  readonly fallback: string | null;
  readonly mentions: Mentions;
  readonly turn: Turn;
  readonly readers: Readers;
  /** Null without a tagger. */
  readonly tagger: TurnTagger | null;
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

/** Returns the fact of a statement. `clause` is the part with its date phrases. */
export function factOf(
  statement: Statement,
  context: Context,
  clause: string = statement.text,
  claims: Claim[] = toClaims(statement),
): ExtractedFact {
  const memory_type = typeOf(statement, claims, context.anchor);
  const lasting = claims.length > 0 && !/^(?:todo|goal|event|decision)$/.test(memory_type);
  const phrases = datePhrases(clause, context.anchor, "past").length > 0;
  const dated = !phrases && context.scene ? `${clause} ${context.scene}` : clause;
  const validity = validityOf(dated, context.anchor, context.fallback, lasting);
  return {
    memory: thirdPersonText(inOrder(statement), context.turn.speaker),
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

/** Returns the only clause that has a date. Its verb decides whether the date is past or future. */
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

/** Returns the facts of a sentence in which only the tagger finds claims. */
function taggedFacts(
  canonical: string,
  found: readonly Statement[],
  claims: readonly TaggedClaim[],
  context: Context,
): ExtractedFact[] {
  return dividedAmong(found, canonical, claims).map((part) => {
    const base = found.find(({ text }) => text === part.text) ?? found[0];
    const statement: Statement = {
      drafts: [],
      type: null,
      negative: base?.negative ?? false,
      matched: true,
      speaker: true,
      join: "",
      text: part.text,
      ...(base?.text === part.text && base.front ? { front: base.front } : {}),
    };
    return factOf(statement, context, part.text, part.claims.map(toClaim));
  });
}

/** Returns the facts of a sentence, in the order of its clauses. */
export async function sentenceFacts(
  text: string,
  question: boolean,
  context: Context,
): Promise<ExtractedFact[]> {
  const chat = !context.turn.transcript;
  if (!context.turn.agent && chat && !question) {
    const found = await instructed(text, context);
    if (found !== null) return found.map((one) => factOf(one, context));
  }
  const stopped = gate(text, question, chat);
  if (stopped === "hypothesis" || stopped === "idiom" || stopped === "state") {
    const statement = besideGate(text, stopped, chat);
    if (statement === null) return await gatedFacts(text, stopped, context);
    traced(text, context, { stopped });
    const facts = await sentenceFacts(statement, question, context);
    return stopped === "state" ? facts.filter(outlastsState) : facts;
  }
  if (stopped === "question" || stopped === "request") {
    const statement = chat ? statementBesideQuestion(text) : null;
    const asked = introduced(singular(expand(text)), context.turn.speaker);
    if (asked) context.mentions.push(asked);
    if (statement === null) return await gatedFacts(text, stopped, context);
    traced(text, context, { stopped });
    return await sentenceFacts(statement, false, context);
  }
  if (stopped !== null) {
    traced(text, context, { stopped });
    return [];
  }
  const language = context.readers.tagger?.multilingual ? languageOf(text) : null;
  if (language !== null) return await foreignFacts(text, language, context);
  if (!isEnglish(text)) {
    traced(text, context, { stopped: "language" });
    return [];
  }
  const scene = SCENE.exec(text);
  const phrase = scene ? datePhrases(scene[1]!, context.anchor, "past")[0] : undefined;
  if (phrase && chat && phrase.text.length >= scene![1]!.trim().length - 3) {
    context.scene = phrase.text;
    return [];
  }
  const meant = referring(expand(text), context.mentions);
  const canonical = withSubject(singular(expand(meant?.named ?? text)));
  const found = statements(text, context.mentions, context.turn.speaker, context.anchor);
  const facts = await withTags(text, meant, canonical, found, context);
  if (facts.length) context.scene = "";
  return facts;
}

/**
 * Returns the facts of a sentence that a gate stopped, if the tagger is still sure of its claims:
 * "Don't touch alcohol at all now, tea only".
 */
async function gatedFacts(
  text: string,
  stopped: SentenceTrace["stopped"],
  context: Context,
): Promise<ExtractedFact[]> {
  const { tagger, turn, mentions } = context;
  if (tagger === null || turn.transcript || !isEnglish(text)) {
    traced(text, context, { stopped });
    return [];
  }
  const tags = withRelations(text, await tagger.tag(text));
  const user = turn.speaker.subject;
  const claims = taggedClaims(text, tags, GATED, user, peopleIn(text, tags, { user, mentions }));
  const facts = claims.length === 0 ? [] : clearFacts(
    taggedFacts(withSubject(singular(expand(text))), [], claims, context),
    turn,
    mentions,
    stopped !== "question" && stopped !== "request",
  );
  traced(text, context, { stopped, tags, facts });
  return facts;
}

/**
 * Returns the facts that the rules find in a sentence, with those of the tagger if there is one.
 */
async function withTags(
  text: string,
  meant: Referring | null,
  canonical: string,
  found: readonly Statement[],
  context: Context,
): Promise<ExtractedFact[]> {
  const { readers: { rules, trace }, tagger } = context;
  const ofRules = () => rules ? assemble(canonical, found, context) : [];
  const ids = found.flatMap(({ drafts }) => drafts.flatMap(({ rule }) => rule ?? []));
  const reading = tagger === null ? null : await readSentence(text, meant, tagger);
  const made = reading === null ? ofRules() : combined(reading, canonical, found, context);
  const facts = context.turn.transcript ? made : clearFacts(made, context.turn, context.mentions);
  const isDropped = trace !== undefined && reading !== null && facts.length === 0 &&
    ofRules().length > 0;
  const dropped = isDropped ? "not worth storing" : null;
  const tags = reading?.tags ?? null;
  traced(reading?.text ?? text, context, {
    tags,
    rules: rules ? [...new Set(ids)] : [],
    dropped,
    facts,
  });
  return [...facts];
}

/** Records the outcome of a sentence for `explain()`. */
function traced(text: string, { readers }: Context, trace: Partial<SentenceTrace>): void {
  const nothing = { stopped: null, tags: null, rules: [], dropped: null, facts: [] };
  readers.trace?.({ text, ...nothing, ...trace });
}

/** Returns the facts of the rules and the tagger together. */
function combined(
  { text, tags, antecedent }: Reading,
  canonical: string,
  found: readonly Statement[],
  context: Context,
): readonly ExtractedFact[] {
  const { readers, turn: { transcript, speaker: { subject: user } }, mentions } = context;
  const personal = antecedent !== null || isPersonal(text) || isPersonal(canonical);
  const thresholds = personal || transcript ? ALONE : IMPERSONAL;
  const people = peopleIn(text, tags, { user, mentions, statements: found, antecedent });
  const claims = taggedClaims(text, tags, thresholds, user, people);
  bringUp(people, claims, mentions);
  const channel = transcript ? IN_TRANSCRIPT : IN_CHAT;
  const limits = personal ? channel.personal : channel.impersonal;
  const isDated = datePhrases(text, context.anchor, "past").length > 0;
  const isWorthStoring = tags.store >= (isDated ? limits.dated : limits.unclaimed);
  const named = withNames(found, people, user);
  const verified = readers.rules ? verifiedStatements(named, text, tags, isWorthStoring) : [];
  const facts = assemble(canonical, verified, context);
  const claimed = facts.flatMap((fact) => fact.claims);
  if (claimed.length > 0) {
    if (tags.store < limits.claims && claims.length === 0) return [];
    const added = addedClaims(claims, claimed);
    const others = added.filter((one) => hostOf(one, facts) === undefined);
    return [...withClaims(facts, added), ...taggedFacts(canonical, found, others, context)];
  }
  if (claims.length > 0) return taggedFacts(canonical, found, claims, context);
  return isWorthStoring ? facts : [];
}

/** Returns the facts of a sentence in another language: one per claim, in that language's words. */
async function foreignFacts(
  text: string,
  language: Language,
  context: Context,
): Promise<ExtractedFact[]> {
  const { tagger, turn, mentions, fallback } = context;
  const tags = withForeignWords(text, await tagger!.tag(text), language);
  const user = turn.speaker.subject;
  const relatives = foreignRelatives(text, language, { user, mentions });
  const people = peopleIn(text, tags, { user, mentions, relatives });
  const claims = taggedClaims(text, tags, FOREIGN, user, people, language).map(toClaim);
  const facts = claims.map((claim): ExtractedFact => {
    const memory_type = memoryTypeOf(claim.attribute);
    return {
      memory: claimText(claim, language),
      memory_type,
      importance: importanceOf(memory_type, [claim]),
      event_date: fallback,
      valid_from: null,
      valid_to: null,
      claims: [claim],
      sources: [turn.source],
    };
  });
  traced(text, context, { tags, facts });
  return facts;
}
