/** Decides which sentences without a claim are kept, and whether a text is English. */
import type { ExtractedFact } from "../../extractor.ts";
import { datePhrases } from "../../../kernel/dates/phrases.ts";
import { hasVerb } from "../clauses/clauses.ts";
import { isReaction } from "./gates.ts";
import { isPastVerb } from "../lexicon/verbs.ts";
import { salience, TRANSCRIPT_THRESHOLD } from "./salience.ts";
import type { Statement } from "../statements.ts";
import { pattern } from "../lexicon/lines.ts";

const STATES_SELF = /\b(?:I|[Mm]y|me|mine)\b/;

/** Lasting activities, for which three words are enough ("I teach maths"). */
const DOES =
  /^I (?:teach|sell|build|make|write|coach|train|ride|play|hunt|cook|bake|brew|farm|grow|breed|raise|manage|run|own|drive|repair|design|edit|translate|sing|foster|rescue|collect|wear|skip|restore|keep(?! \p{L}+ing$)) (?!it|this|that|them|you|so\b)\p{L}{3,}$/iu;

/** Calendar events ("The movers come on the 27th"). */
const ARRANGED =
  /^the (?!weather|sun|rain|forecast|world|news|movie|film|game|show)[\p{L} -]{3,30} (?:comes?|arrives?|starts?|begins?|leaves?|ends?|opens?|closes|meets?|(?:is|are) (?:on|at|in|coming|arriving|due|scheduled)) /iu;

/** "I understand Polish", of all that is understood in a talk: a language. */
const UNDERSTANDS = /^I (?:can )?understand (?:\p{Ll}+ ){0,3}\p{Lu}/u;

/** "They think I live in Paris", "my T-shirt says I love it": hearsay about the speaker. */
const REPORTS =
  /^(?:people|they|some|everyone|everybody|nobody|my (?:horoscope|t-?shirt|mug|hoodie|star sign)|the (?:sign|test|quiz|app|internet|cards?))\b[^,;]{0,30}? (?:says?|said|thinks?|thought|believes?|assumes?|claims?|reckons?|jokes?) (?:that )?I\b/iu;
const WEATHER = /^the (?:weather|forecast|sun|rain|snow|wind|sky|heat)\b/i;

/** Lasting abilities ("I can juggle", "I can't swim"). */
const ABLE =
  /^I can (?:not )?(?:juggle|swim|drive|ride|cook|sew|knit|whistle|sing|dance|ski|skate|type|draw|paint|sail|surf|fly|(?:play|read|write|understand|bake|lift) (?!it\b|this\b|that\b|them\b|you))(?!.*\b(?:you|your|now|today|tonight|tomorrow)\b)/iu;

/**
 * The context of a sentence: a conversation between people, or a user's messages to an assistant.
 */
export interface Place {
  readonly transcript: boolean;
  readonly anchor: number;
}

/** Reactions of the moment, which aren't stored. */
const OF_THE_MOMENT = pattern("i")`
  ^I (?:can not (?:believe|wait|tell|see|say|find|remember|decide)|slept|do not (?:care|
  mind|know|understand|think so|get it|remember|have time)|(?:was|were) (?:going|about|
  supposed|meaning) to|have been (?:thinking|wondering|meaning to)|need \d+|think|guess|
  feel|mean|meant (?!to\b)|see|know|understand|agree|believe|like it|love it|hope so|
  appreciate|am (?:just|still) (?:checking|testing|looking|wondering|asking))\b
`;

/** Checks whether a sentence without claims is worth a memory of its own. */
export function isWorthKeeping(
  text: string,
  statement: Pick<Statement, "matched" | "negative">,
  place: Place,
): boolean {
  const words = text.split(/\s+/).length;
  if (place.transcript) return salience(text, statement.matched) >= TRANSCRIPT_THRESHOLD;
  if (
    words < 3 || isReaction(text) ||
    (/^(?:it|this|that|there|here|they|these|those|which|what)\b/i.test(text) &&
      !/\bI \p{Ll}+/u.test(text))
  ) return false;
  if (REPORTS.test(text) || WEATHER.test(text)) return false;
  if (/^(?:exactly|just|precisely) what\b/i.test(text)) return false;
  if (ABLE.test(text)) return true;
  if (
    !UNDERSTANDS.test(text) &&
    OF_THE_MOMENT
      .test(text)
  ) return false;
  if (
    /^I (?:would|will|could|should|can|might)\b(?! (?:not |never )?(?:be |love|like|rather))/i.test(
      text,
    ) && !datePhrases(text, place.anchor, "future").length
  ) return false;
  if (
    /^I did not (?:know|realise|realize|expect|see) (?:that|this|it)\b(?! \p{Ll}{3,})/u.test(text)
  ) return false;
  // "I figured it out": without what it was.
  if (/^I \p{Ll}+ (?:it|that|this|them)(?: \p{Ll}+)?$/u.test(text)) return false;
  if (
    /^I would like (?!to\b)|^I would (?:love|appreciate|welcome) (?:some|any|an?|your)?\s?(?:bit of )?(?:help|advice|ideas?|suggestions?|feedback|tips?|hand|input|answers?)\b|^I (?:(?:just|only|also) )?(?:am looking for|need) (?:a|an|some|help|recommendations|advice|ideas|suggestions|your)\b|^I want (?!to\b)/i
      .test(text)
  ) return false;
  if (/\b(?:your|you)\b/i.test(text) && !/\bmy\b/i.test(text)) return false;
  if (STATES_SELF.test(text)) {
    return words >= 4 || statement.negative || isPastVerb(text.split(/\s+/)[1] ?? "") ||
      DOES.test(text);
  }
  const dated = datePhrases(text, place.anchor, "past").length > 0;
  if (dated && words >= 4 && ARRANGED.test(text)) return isEnglish(text);
  if (dated && text.split(/\s+/).some((word, i) => i > 0 && isPastVerb(word))) {
    return isEnglish(text);
  }
  return /\s\p{Lu}/u.test(text.slice(1)) && (words >= 4 || hasVerb(text)) &&
    (text.split(/\s+/).some((word, i) => i > 0 && isPastVerb(word)) ||
      datePhrases(text, place.anchor, "future").length > 0) &&
    isEnglish(text);
}

/**
 * Checks whether a statement outlasts the passing state next to it ("I'm tired, I want to go to
 * bed" doesn't).
 */
export const outlastsState = ({ memory_type, claims }: ExtractedFact): boolean =>
  claims.length > 0 && memory_type !== "goal" && memory_type !== "todo";

/**
 * Checks roughly whether a text is English, so that other languages yield nothing rather than
 * something wrong.
 */
export function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  if (
    words.some((word) => /[\u0250-\uffff]/.test(word)) && words.length > 0 &&
    !/[a-z]{2}/.test(text)
  ) return false;
  const foreign =
    words.filter((word) =>
      /^(?:ich|wohne|und|der|die|das|ein|eine|bin|habe|nicht|mit|je|suis|habite|j|le|la|les|des|est|mon|ma|mes|avec|yo|soy|vivo|en|el|los|las|mi|con|que|una|llamo|eu|sou|moro|em|meu|minha|com|io|sono|abito|mio|mia|ik|woon|ben|het|een|mijn|jag|bor|och|är|jeg|og|er|jestem|mieszkam|mam|na|się|jest|nie|moja|mój|w|z|ho|di|sono|lavoro|tengo|tenho|nem|jsem|mám|minä|olen)$/
        .test(word)
    ).length;
  const known =
    words.filter((word) =>
      /^(?:i|the|a|an|my|is|am|are|in|at|of|to|and|for|on|with|was|we|our|it|have|has|that|this|you|he|she|they|but|from|not|do|be|as|by|or|so|her|his|user)$/
        .test(word)
    ).length;
  return foreign <= known;
}
