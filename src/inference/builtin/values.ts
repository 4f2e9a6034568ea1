/** Cuts reasons, times, asides and articles off the text that a rule captured. */
import { tidyValue } from "../vocabulary.ts";
import { numberOf, QUANTITY } from "../../kernel/dates/calendar.ts";
import { datePhrases } from "../../kernel/dates/phrases.ts";
import { compile, pattern } from "./lexicon/lines.ts";

const SPAN =
  `(?:(?:about|almost|nearly|over|around|the last|the past|more than) )?(?:${QUANTITY}|many|some) (?:years?|months?|weeks?|days?|decades?|hours?)`;
const STOP = compile(
  "\\s*(?:[;:()!?]|,(?!\\d)|\\s[–—-]+\\s|…)|" +
    "\\s(?:because|since|during|as (?:I|my|it|of|well|a result|an? (?:kid|child|boy|girl|teen\\w*|student))|so (?:that|I|my|it|please|we|he|she)|when(?:ever)?|while|whereas|al?though|though|even (?:though|if|when)|but|if|unless|until|till|" +
    "after (?!eight)|before|which|who(?:m|se)?|where|that (?:I|my|is|was|has)|and (?:I|my|it|he|she|they|that|we|always|never|also|not)\\b|thanks to|due to|in order to|just to|" +
    "for (?:now|good|" + SPAN +
    "|(?:many |several )?(?:years|months|decades)|a (?:long|short) (?:time|while)|the (?:moment|time being|first time|last|past|foreseeable)|(?:my )?work(?! in)|my job|family reasons|fun|health reasons|ethical reasons|as long|ages|me\\b|obvious reasons|religious reasons)|" +
    "these days|nowadays|here|at the moment|at present|right now|now|currently|presently|any ?more|any longer|no longer|again|too|as well|instead|already|yet|still|at all|a lot|so much|very much|" +
    "more than (?:anything|ever)|the most|most of the time|all the time|all day|every(?: single)? (?:day|week|month|year|morning|evening|night|weekend|\\w+day|summer|winter|spring|autumn|other|now)|each (?:day|week|morning|\\w+day)|" +
    "on (?:(?:the |most )?week\\w+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|a (?:daily|regular|weekly) basis|most days)|in the (?:mornings?|evenings?|afternoons?|meantime|summer|winter|spring|new year|past)|at (?:night|weekends)|from \\w+days? (?:to|through|until)|" +
    "(?:years|months|ages|decades|a (?:while|long time)) (?:ago|back)|(?-i:daily|weekly|nightly|monthly|online)|twice|once (?:a|every|in)|three times|from time to time|lately|recently|together|ever since|these|in my (?:(?:spare|free) time|(?:early |late |mid )?(?:teens|twenties|thirties|forties|fifties|sixties|childhood))|in particular|in the end|after all|of course|by the way|to be honest|so far|full[- ]time|part[- ]time|overnight|unfortunately|sadly|luckily|actually|to this day|day and night|of all time|ever|out of|thank you|thanks|please|okay|like (?:my|his|her)|plus|except|apart from|" +
    "this (?:year|month|week|summer|winter|spring|autumn)|last (?:year|month|week)|next (?:year|month|week))\\b",
  "i",
);
const LEADING = pattern("i")`
  ^(?:(?:a bit of|a little(?: bit)?|a lot of|a few|a cup of|the|an?|my|his|her|their|some|
  any|all|both|really|very|quite|pretty|mostly|mainly|just|also|either|basically|of|
  lots of|plenty of|all (?:kinds|sorts|types) of|anything (?:with|to do with)|
  everything about|this|that|these|those|such|what is called|something called|pure|
  plain old|good old|certain|to)\s+)+
`;

/** Returns the offset at which a value ends: the first reason, time, aside or date phrase. */
function end(text: string): number {
  const stop = STOP.exec(text)?.index ?? text.length;
  const phrase = datePhrases(text, 0, "past").find((p) => p.from > 0);
  return Math.min(stop, phrase?.from ?? text.length);
}

/**
 * Returns the value in a captured text: without article, reason, time phrase or closing
 * punctuation.
 */
export function value(captured: string): string {
  const text = captured.replace(/^[\s,:]+/, "");
  const cut = text.slice(0, end(text)).trimEnd().replace(
    /\s(?:in|on|at|since|from|by|of|for|to|and|or|with|as|back|about|is|am|just|so|the|a|an)$/i,
    "",
  );
  const bare = tidyValue(cut).replace(LEADING, "");
  return tidyValue(bare);
}

/** Returns a value with its article ("The Dispossessed"), for titles and names. */
export function titled(captured: string): string {
  const text = captured.trim();
  if (!/^(?:The|A|An) \p{Lu}/u.test(text)) return value(text);
  return tidyValue(text.slice(0, end(text)));
}

const KEEP_TOGETHER =
  /\b(?:rock and roll|rock 'n' roll|drum and bass|mac and cheese|fish and chips|salt and pepper|bed and breakfast|gin and tonic|arts and crafts|peanut butter and jelly|rhythm and blues|dungeons and dragons|stranger things|black and white|cookies and cream|surf and turf|track and field|science fiction and fantasy|country and western|bits and pieces|research and development)\b/gi;

/** Returns the values of a coordinated list. */
export function list(captured: string): readonly string[] {
  const guarded = captured.replace(KEEP_TOGETHER, (m) => m.replace(/ and /gi, "_and_"));
  const parts = guarded.split(
    /\s*(?:,\s*(?:and|but also|but|or|plus)?|\band also\b|\bas well as\b|\band\b|&|\bor\b|\bplus\b|\bbut also\b)\s*/i,
  );
  const out: string[] = [];
  for (const part of parts) {
    if (
      /^(?:I|my|he|she|it|they|because|so|but|which|who|that|we|not|also not|(?:just )?like|even|especially|mostly|particularly|since|when|while|though|although)\b/i
        .test(part)
    ) break;
    const one = value(part.replaceAll("_and_", " and "));
    if (one) out.push(one);
    if (
      value(part) !== tidyValue(part.replace(LEADING, "")) &&
      /\b(?:because|since|so|but|when|while|which|who|for|after|before|if)\b/i.test(part)
    ) break;
  }
  return out;
}

const PLACE_OF =
  /^(?:(?:an?|the|my|some|this|one of the)\s+)?(?:[\p{Ll}\d][\p{L}'-]*\s+)*(?:called|named|known as)\s+(?=\p{Lu})/u;
const PLACE_IN =
  /^.*?\b(?:in|of|outside|near|at)\s+(?:(?:downtown|central|north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?|beautiful|sunny|rainy|lovely|good old|the (?:city|town|village|capital|heart|centre|center|outskirts|suburbs|north|south|east|west) of) )*(?=(?:the )?\p{Lu})/u;

/** Capitalized words that aren't places: "I'm away from Monday". */
const NO_PLACE =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter)(?![\p{L}-])(?! \p{Lu})/u;

/**
 * Checks whether a text begins with a day, a month or a holiday, which are capitalized like names.
 */
export const isOfCalendar = (text: string): boolean => NO_PLACE.test(text.trim());

/**
 * Returns the place in a captured text: "Leipzig" of "the third floor of an old brewery in
 * Leipzig".
 */
export function place(captured: string): string {
  if (isOfCalendar(captured)) return "";
  const raw = captured.trim().replace(/^(?:in|at|to|near|around|outside)\s+(?=\p{Lu})/u, "");
  const named = PLACE_OF.exec(raw);
  const text = named ? raw.slice(named[0].length) : raw;
  const head =
    /^\p{Lu}[\p{L}.'’-]*(?:\s+(?:(?:de|del|da|do|dos|di|la|le|les|los|las|el|al|am|an der|der|den|of|the|upon|on(?! \p{Lu}\p{Ll}+day\b)|sur|y|and the|auf|bei|im|ob|und|van|von|ter|op)\s+)*\p{Lu}[\p{L}.'’-]*)*(?:, \p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*)*)?/u
      .exec(text);
  if (head && !/^(?:The|A|An|My|I)$/.test(head[0])) {
    const rest = text.slice(head[0].length);
    if (/^,? (?:and|or) \p{Lu}/u.test(rest) && /^,/.test(rest)) return tidyValue(head[0]);
    return tidyValue(head[0].replace(/, (?:I|My|We|He|She|They|And|But|So|Which|Where)\b.*$/, ""));
  }
  const cut = value(text);
  const inner = PLACE_IN.exec(text);
  if (inner && /^(?:an?|the|my|this|some|\p{Ll})/u.test(text)) {
    return place(text.slice(inner[0].length).replace(/^the /, ""));
  }
  return cut;
}

/** A capitalized word without the "'s" of a possessive. */
const NAME_WORD = "(?!I\\b)(?-i:\\p{Lu})(?:(?!['’]s(?!\\p{L}))[\\p{L}'’.-])*";

/** A name of a person, pet or thing: capitalized words that aren't a sentence. */
export const NAME =
  `${NAME_WORD}(?:\\s(?:(?:de|da|dos|van|von|der|den|al|el|bin|la|le)\\s)*${NAME_WORD}){0,3}`;

/** Names in a list. Its length is limited: with a capital letter, "and" can be a name as well. */
export const NAMES = `${NAME}(?:(?:, and |, | and | & )${NAME}){0,7}`;

/** Returns the indefinite article of a noun phrase. */
export const articleOf = (noun: string): "a" | "an" => /^[aeiou]/i.test(noun) ? "an" : "a";

/** Returns the digits of a number, or null if the text isn't one. */
export function digits(text: string): string | null {
  const n = numberOf(text.trim());
  return n === null || n % 1 !== 0 ? null : String(n);
}
