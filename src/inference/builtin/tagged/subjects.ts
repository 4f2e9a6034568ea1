/** Finds whom a claim of the tagger is about. */

import type { TaggedSpan } from "../../tagger/mod.ts";
import { MY } from "../lexicon/foreign_people.ts";
import type { ByLanguage, Language } from "../lexicon/languages.ts";
import { RELATION_WORDS, relationAttribute } from "../lexicon/people.ts";
import { NAME } from "../values.ts";
import { isOtherGender } from "../subjects/pronouns.ts";
import { PEOPLE, type Person } from "./people.ts";
import { compile } from "../lexicon/lines.ts";

/** Attributes of animals, and never of the user. */
const OF_PETS = new Set(["species", "breed"]);

/** "Half of my family lives in Canada": said of others, unless the user appears as well. */
const OF_FAMILY = compile(
  `^(?:(?:half|most|all|some|one|both|none|part) of )?(?:my|our) (?:\\p{L}+ )?` +
    `(?:family|folks|in-laws|neighbou?rs?|team|${RELATION_WORDS})(?!\\p{L})`,
  "iu",
);

/** Words for the user. */
const FIRST_PERSON: Readonly<Record<Language | "en", RegExp>> = {
  en: /\b(?:I|I'm|I've|we|we're|we've|me|us)\b/i,
  de: /(?<!\p{L})(?:ich|bin|mich|mir|wir|uns)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:yo|me|soy|estoy|tengo|nos|nosotr[oa]s|somos)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:je|me|moi|suis|nous)(?!\p{L})|(?<!\p{L})[jm]['’]/iu,
  pt: /(?<!\p{L})(?:eu|me|sou|estou|tenho|nós|somos)(?!\p{L})/iu,
  it: /(?<!\p{L})(?:io|mi|ho|noi|siamo)(?!\p{L})/iu,
};

/** Words between a value and someone right behind it ("he's kosher, my uncle"). */
const RIGHT_BEHIND = /^,? (?:my|our) $/i;

/** "…, sixteen years old, and my wife misses him": someone in the next clause. */
const NEXT_CLAUSE = /[,;.] (?:and|but|so) (?:my|our|the) $/i;

/** "I work with Priya, an engineer from Pune": of her. */
const WITH_NAMED = compile(
  `\\b(?:with|by|(?:married|engaged|next|close) to) (${NAME}), an? (?:[^,;]* )?$`,
  "u",
);

/** "We visited my grandparents in Sligo": where they live. */
const VISITED = compile(
  `\\b(?:visit(?:ed|ing|s)?|see(?:ing|s)?|saw|met|meet(?:ing)?) (?:my|our) (?:\\p{L}+ )?` +
    `(?:family|folks|in-laws|${RELATION_WORDS})(?: ${NAME})?(?: (?:over|up|down|out|back))? in $`,
  "iu",
);

/** Words before the person that a sentence begins with. */
const BEFORE_FIRST: Readonly<Record<Language | "en", RegExp>> = {
  en: /^(?:(?:and|but|so|also|oh|well),? )*(?:(?:my|our|the) (?:\p{L}+ )?)?$/iu,
  de: beforeFirst("und|aber|also", MY.de),
  es: beforeFirst("y|pero", MY.es),
  fr: beforeFirst("et|mais", MY.fr),
  pt: beforeFirst("e|mas", `(?:[ao] )?${MY.pt}`),
  it: beforeFirst("e|ma", `(?:il |la )?${MY.it}`),
};

function beforeFirst(conjunctions: string, my: string): RegExp {
  return compile(`^(?:(?:${conjunctions}),? )*(?:${my} (?:\\p{L}+ )?)?$`, "iu");
}

/**
 * Returns the subject of a claim: the user, or the person or animal that comes last before the
 * value. Null if a claim is about someone else whom the sentence doesn't mention.
 *
 * @param language null if the sentence is in English
 */
export function subjectOf(
  sentence: string,
  { attribute, state, start, end }: TaggedSpan,
  user: string,
  people: readonly Person[],
  language: Language | null,
): string | null {
  if (OF_PETS.has(attribute)) return nearestPet(start, people);
  const companion = WITH_NAMED.exec(sentence.slice(0, start))?.[1];
  if (companion !== undefined) {
    return people.find(({ name }) => name === companion)?.subject ?? null;
  }
  if (!state.startsWith("other")) {
    if (attribute === "lives_in" && VISITED.test(sentence.slice(0, start))) {
      return people.findLast((one) => one.end <= start)?.subject ?? null;
    }
    return PEOPLE.has(attribute) || !isAboutOthers(sentence, people, language) ? user : null;
  }
  const behind = people.find((one) =>
    one.start >= end && RIGHT_BEHIND.test(sentence.slice(end, one.start))
  );
  if (behind !== undefined) return behind.subject;
  const before = people.filter((one) => one.end <= start);
  const last = before.findLast(({ isBeside }) => !isBeside) ?? before.at(-1);
  // "Dad goes by Stavros": the name of the relative, who is the user's.
  if (last?.name === undefined && relationAttribute(last?.relation ?? "") === attribute) {
    return user;
  }
  if (last !== undefined) {
    const isAnother = language === null
      ? isOfUser(sentence, start) || isOvertaken(sentence, last, start, people)
      : SELF[language].test(sentence.slice(last.end, start));
    return isAnother ? null : last.subject;
  }
  const [only, ...others] = people;
  const isTheirs = only !== undefined && others.length === 0 && only.name === undefined &&
    !NEXT_CLAUSE.test(sentence.slice(end, only.start));
  return isTheirs ? only.subject : null;
}

/** "I told her I'm vegan": a value of the user, even if the tagger gives it to someone else. */
const isOfUser = (sentence: string, start: number) =>
  /(?<!\p{L})(?:I am|I['’]?m)(?: (?:an?|the|also|not|now|still|already|really))* $/iu.test(
    sentence.slice(0, start),
  );

/** "Mi madre vive en Lima y yo vivo en Cusco": the user between someone and a value. */
const SELF: ByLanguage<RegExp> = {
  de: /(?<!\p{L})ich(?!\p{L})/iu,
  es: /(?<!\p{L})yo(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:je(?!\p{L})|j['’])/iu,
  pt: /(?<!\p{L})eu(?!\p{L})/iu,
  it: /(?<!\p{L})io(?!\p{L})/iu,
};

const HE_OR_SHE = /(?<!\p{L})(s?he)(?!\p{L})/giu;
const FIRST_PRONOUN = /^(?:(?:and|but|so),? )?(?:(he|his)|(she|her))(?!\p{L})/iu;

/** Capitalized words that may name someone: not after "moved to", "works at", "till" or "is". */
const UNKNOWN_NAME =
  /(?<=\p{L}[,;]? )(?<!\b(?:in|at|from|near|for|on|of|the|an?|is|was|are|last|next|since|until|till|before|after|speaks?|studies|studied|(?:mov\p{L}+|go|goes|going|went|fl[iey]\p{L}*|flew|drove|travel\p{L}*|back|relocat\p{L}+) to) )\p{Lu}\p{Ll}+/gu;

/**
 * Checks whether "he" or "she" between someone and a value may mean another one. A name right behind
 * the word for someone is theirs ("my mother, Ngozi").
 */
function isOvertaken(
  sentence: string,
  one: Person,
  start: number,
  people: readonly Person[],
): boolean {
  const found = [...sentence.slice(one.end, start).matchAll(HE_OR_SHE)];
  const last = found.at(-1);
  if (last === undefined) return false;
  const pronoun = last[1]!.toLowerCase();
  const place = one.end + last.index;
  const [, he, she] = one.start === 0 ? FIRST_PRONOUN.exec(sentence) ?? [] : [];
  const isMixed = found.some(({ 1: other }) => other!.toLowerCase() !== pronoun) ||
    (pronoun === "he" ? she : he) !== undefined;
  if (isMixed || isOtherGender(pronoun, mentionOf(one))) return true;
  const isUnknown = ({ index }: RegExpExecArray) =>
    !people.some(({ start, end }) =>
      start <= index && index < end || /^,? \(?$/.test(sentence.slice(end, index))
    );
  return [...sentence.slice(0, place).matchAll(UNKNOWN_NAME)].some(isUnknown) ||
    people.some((other) =>
      other.end <= place && other.subject !== one.subject && !other.isPet &&
      !isOtherGender(pronoun, mentionOf(other))
    );
}

const mentionOf = ({ mention, name, relation }: Person) =>
  mention ?? { display: name ?? "", ...(relation === undefined ? {} : { relation }) };

function nearestPet(start: number, people: readonly Person[]): string | null {
  const pets = people.filter(({ isPet }) => isPet);
  const distance = (one: Person) => Math.abs(one.start - start);
  return pets.sort((a, b) => distance(a) - distance(b))[0]?.subject ?? null;
}

/** Returns whom a value without words is about: the one that a sentence begins with, else the user. */
export function subjectOfLabel(
  sentence: string,
  attribute: string,
  user: string,
  people: readonly Person[],
  language: Language | null,
): string | null {
  const first = firstOf(sentence, people, language);
  if (first === undefined || FIRST_PERSON[language ?? "en"].test(sentence)) return user;
  // "My wife died", "my boyfriend said yes": the user's own status.
  const relation = relationAttribute(first.relation ?? "");
  const isTheirOwn = attribute === "marital_status" &&
    /^(?:spouse|partner|ex)$/.test(relation ?? "");
  return isTheirOwn ? user : first.subject;
}

const isAboutOthers = (
  sentence: string,
  people: readonly Person[],
  language: Language | null,
): boolean =>
  !FIRST_PERSON[language ?? "en"].test(sentence) &&
  (OF_FAMILY.test(sentence) || firstOf(sentence, people, language) !== undefined);

function firstOf(
  sentence: string,
  people: readonly Person[],
  language: Language | null,
): Person | undefined {
  const first = people[0];
  return first !== undefined && BEFORE_FIRST[language ?? "en"].test(sentence.slice(0, first.start))
    ? first
    : undefined;
}
