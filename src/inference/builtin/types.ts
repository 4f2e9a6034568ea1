/**
 * Chooses the type of a memory: the first of todo, goal, decision, identity, preference, event and
 * fact that fits.
 */
import type { MemoryType } from "../../memories/schema.ts";
import type { Claim } from "../extractor.ts";
import { memoryTypeOf } from "../vocabulary.ts";
import { datePhrases } from "../../kernel/dates/phrases.ts";
import { tenseOf } from "./dates/validity.ts";
import { RELATIONS } from "./lexicon/people.ts";
import { isPastVerb, VERBS } from "./lexicon/verbs.ts";
import type { Statement } from "./statements.ts";

const CHANGE_ATTRIBUTES = new Set(["habit", "likes", "uses", "hobby"]);

/** "I visited my sister Klara yesterday": an event, though it also names a relation. */
const KIN = new Set(RELATIONS.values());
const MET =
  /^I (?:have )?(?:just )?(?:met|visited|saw|called|phoned|helped|took|drove|went|had|ran|spent|celebrated|told|gave|lent|picked|dropped|watched|played|flew|travelled|traveled|cooked|argued|talked|spoke)\b/;

/** States that last until now, and origins: they aren't events. */
const IS_SO =
  /^I (?:have (?:lived|been|known|had|made .* my home|\p{Ll}+ .*\bfor (?:the (?:last|past) )?(?:\p{L}+ ){0,2}(?:years|months|decades|ages))\b|grew up\b)/u;
const MAIN_VERB = /^I (?:(?:\p{L}+ly|also|just|still|now|even|often) )*(\p{Ll}+)/u;
/** "I make stained glass": the main verb decides, and not a participle after it. */
function isPresent(text: string): boolean {
  const verb = MAIN_VERB.exec(text)?.[1] ?? "";
  return VERBS.has(verb) && verb !== "have" && !isPastVerb(verb);
}

/**
 * Returns the type of a memory: the rule's, else its first claim's, else the one that its words
 * suggest.
 */
export function typeOf(statement: Statement, claims: readonly Claim[], anchor: number): MemoryType {
  const text = statement.text;
  if (statement.type === "goal" || statement.type === "event") {
    const dated = datePhrases(text, anchor, "future").length > 0;
    return dated &&
        /\b(?:going to|will|planning|am \w+ing|plan to|booked|visiting)\b/i.test(text) &&
        !/\b(?:want|hop(?:e|es|ing)|trying|goal|dream|aim|training|saving)\b/i.test(text)
      ? "event"
      : statement.type === "event" && !dated
      ? "goal"
      : statement.type;
  }
  if (statement.type) return statement.type;
  const first = claims.find((claim) => !CHANGE_ATTRIBUTES.has(claim.attribute)) ?? claims[0];
  if (first) {
    const type = first.subject === "user" || claims.length === 1
      ? memoryTypeOf(first.attribute)
      : "fact";
    const past = /\b(?:died|passed away)\b/.test(text) ||
      KIN.has(first.attribute) && MET.test(text) && datePhrases(text, anchor, "past").length > 0;
    return past ? "event" : type;
  }
  if (
    /\b(?:remind|need to|have to|must(?! (?:be (?!(?:at|in|home|back|there|here|ready)\b)|have\b))|todo)\b/i
      .test(text) &&
    statement.speaker &&
    /^(?:I|my)\b/.test(text)
  ) return "todo";
  if (/\bmy favou?rites?\b/i.test(text)) return "preference";
  if (/^I (?:really |much )?(?:like|love|prefer|hate|enjoy|favou?r|can not stand) /i.test(text)) {
    return "preference";
  }
  if (
    /\b(?:rent|bills?|payment|instal?ment|reports?|homework|assignment|invoice|tax(?:es)?|fees?|books?|essay|paper|loan|mortgage|submission|draft|application|deposit) (?:is|are) due\b/i
      .test(text)
  ) return "todo";
  if (statement.negative && /^I do not want\b/i.test(text)) return "preference";
  if (/^I was born\b/.test(text)) return "identity";
  if (
    /\b(?:want|hope|dream(?! (?:car|house|home|job|team)\b(?! is))|goal|aim|aspire|would (?:love|like)|planning|saving|looking for)\b/i
      .test(
        text,
      )
  ) return "goal";
  if (/\b(?:decided|agreed|chose|settled(?! (?:in|down)\b))\b/i.test(text)) return "decision";
  if (
    /\b(?:usually|always|often|never|no longer|every|each|used to|since|stopped|quit)\b/i.test(text)
  ) return "fact";
  if (statement.negative) return "fact";
  const dated = datePhrases(text, anchor, tenseOf(text)).length > 0;
  if (
    !IS_SO.test(text) && !isPresent(text) &&
    text.replace(/\b(?:my|the|their|his|her|both) left\b|\ba (?:little |tiny )?bit\b/g, "").split(
      /\s+/,
    ).some((word, i, words) =>
      !word.includes("-") && !(i > 0 && /^\p{Lu}/u.test(word)) &&
      !/^(?:is|are|am)$/.test(words[i - 1] ?? "") && isPastVerb(word.replace(/[^\p{L}]/gu, "")) &&
      !/^(?:have|has)$/i.test(word)
    )
  ) return "event";
  return dated || /\b(?:will|going to|tomorrow)\b/i.test(text) ? "event" : "fact";
}
