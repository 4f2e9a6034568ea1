/** Finds the people and animals that a sentence mentions, for claims about them. */

import type { SentenceTags, TaggedSpan } from "../../tagger/mod.ts";
import { isSingleValued } from "../../vocabulary.ts";
import { isKind, isPlural, RELATION_WORDS, relationAttribute } from "../lexicon/people.ts";
import type { Mentions, Statement } from "../statements.ts";
import type { Mention } from "../rules/rule.ts";
import type { Antecedent } from "../subjects/antecedents.ts";
import { ALONE, RELATED_NAME } from "./thresholds.ts";
import { compile } from "../lexicon/lines.ts";

/** Someone in a sentence. */
export interface Person {
  /** Subject of claims about them. Null if claims can't be about them ("my son's teacher"). */
  readonly subject: string | null;
  readonly start: number;
  readonly end: number;
  readonly isPet: boolean;
  /** Their name as it was written, if the sentence has it. */
  readonly name?: string;
  /** Word for what they are to the user ("sister"), in lower case. None for "her sister". */
  readonly relation?: string;
  /** The earlier mention of someone whom the first words of the sentence mean. */
  readonly mention?: Mention;
  /** True if they are only mentioned with another person ("works with my brother"). */
  readonly isBeside?: boolean;
}

/** Attributes that hold the name of someone in the user's life. */
export const PEOPLE: ReadonlySet<string> = new Set(
  ("spouse partner child sibling parent grandparent relative friend colleague pet neighbor " +
    "roommate teacher doctor").split(" "),
);

/** Relation words that call others, too, or whose attribute depends on more than the word. */
const AMBIGUOUS =
  /^(?:twins?|mate|pal|buddy|partner|bab(?:y|ies)|boys?|girls?|lead|assistant|coach|trainer|doctor|gp|ex|kids?|child|children|parents?|papa|opa|nan|intern|mentor|manager)$/i;

/** Relation words that are the user's with "the": "the wife is at Kroger". */
const WITH_THE =
  /^(?:wife|husband|hubby|missus|girlfriend|boyfriend|gf|bf|fianc\p{L}+|eldest|oldest|youngest|middle[- ]child|in-laws|boss)$/iu;

const KIN = new Set("spouse partner child sibling parent grandparent relative".split(" "));

const OWN = "(?:my|our)(?: (?!(?:and|or|is|was|to|of|with|for|at|in|on)\\b)[\\p{L}-]+){0,2}?";

/** Words that make a relation word part of another one ("oldest friend", "mother of pearl"). */
const NOT_CALLED = `[\\p{L}-]| (?:${RELATION_WORDS})(?![\\p{L}-])| (?:of|in law)\\b`;

/** A relation word right before a name: "my sister Klara", "daughter's name is", "son (". */
const BEFORE_NAME = compile(
  `(?<![\\p{L}-])(${RELATION_WORDS})(?:'s|s)?(?: (?:(?:name )?(?:is|'s)|(?:is )?(?:called|named)))?[,:]? \\(?$`,
  "iu",
);
/** A relation word right after a name: "Klara, my sister". */
const AFTER_NAME = compile(
  `^,? (?:\\(|(?:he's|she's|that's|is) )?${OWN} (${RELATION_WORDS})(?!${NOT_CALLED})(?!['’]s)`,
  "iu",
);
/** Words before a relation word that is the user's. */
const USERS_OWN = compile(
  `(?:^|[,;:.(&+] ?|\\b(?:${OWN}|the|and|but|so|with|me|own|plus) )$`,
  "iu",
);
/** "Her brother", "my sister's new husband": none of the user's. */
const OF_SOMEONE =
  /(?:\b(?:his|her|their|your|whose)|(?<!\b(?:it|that|this|he|she|here|there|who|what))['’]s)(?: (?!(?:my|our|the|an?)\b)[\p{L}-]+)? $/iu;
/** "My work wife": not what the relation word says. */
const AT_WORK = /\bwork(?: [\p{L}-]+)? $/iu;
const OF_MINE = compile(`\\b(?:my|our) (?:[\\p{L}-]+ )?(${RELATION_WORDS})['’]?s $`, "iu");

/**
 * Returns tags in which a relation word says what the name next to it is of: "my niece ayo". Without
 * the names of people who are someone else's.
 */
export function withRelations(sentence: string, tags: SentenceTags): SentenceTags {
  return { ...tags, spans: tags.spans.flatMap((span) => withRelation(sentence, span) ?? []) };
}

/** Returns the span of a name with the attribute of its relation. Null if it is someone else's. */
function withRelation(sentence: string, span: TaggedSpan): TaggedSpan | null {
  if (!PEOPLE.has(span.attribute) || span.confidence < RELATED_NAME.english) return span;
  const left = sentence.slice(0, span.start);
  const before = BEFORE_NAME.exec(left);
  const word = before?.[1] ?? AFTER_NAME.exec(sentence.slice(span.end))?.[1];
  if (word === undefined) return span;
  const owner = before === null ? null : left.slice(0, before.index);
  const isOthers = owner !== null && OF_SOMEONE.test(owner) && !span.state.startsWith("other");
  const mine = isOthers && span.state === "holds" ? OF_MINE.exec(owner)?.[1] : undefined;
  const isOfKin = mine !== undefined && isKin(mine) && isKin(word);
  if (isOthers && !isOfKin) return null;
  if (AMBIGUOUS.test(word) || owner !== null && AT_WORK.test(owner)) return span;
  const attribute = isOfKin ? "relative" : relationAttribute(word);
  if (attribute === null || !PEOPLE.has(attribute)) return span;
  if (owner !== null && !isOfKin && !USERS_OWN.test(owner)) return span;
  return { ...span, attribute, confidence: Math.max(span.confidence, RELATED_NAME.result) };
}

const isKin = (word: string) => KIN.has(relationAttribute(word) ?? "");

/** The context that the people of a sentence depend on. */
export interface Known {
  readonly user: string;
  readonly mentions: Mentions;
  /** Findings of the rules in it. */
  readonly statements?: readonly Statement[];
  /** The person that its first words mean. */
  readonly antecedent?: Antecedent | null;
  /** People called by relation words, if these aren't English. */
  readonly relatives?: readonly Person[];
}

/** Returns the people that a sentence mentions, in its order. */
export function peopleIn(sentence: string, tags: SentenceTags, known: Known): readonly Person[] {
  const named = [...taggedNames(sentence, tags), ...ruleNames(sentence, known)]
    .filter((one, i, all) => all.findIndex((other) => other.start === one.start) === i);
  const related = (known.relatives ?? relatives(sentence, known)).map((one) => {
    const name = named.find((other) => isNameOf(sentence, one, other));
    return name === undefined ? one : { ...one, subject: name.subject, name: name.name! };
  });
  const { antecedent = null } = known;
  return [
    ...(antecedent === null ? [] : [{
      subject: antecedent.mention.subject,
      start: 0,
      end: antecedent.length,
      isPet: antecedent.mention.kind === "pet",
      mention: antecedent.mention,
    }]),
    ...named.map((name) => {
      const relation = related.find((one) => isNameOf(sentence, one, name));
      const isBeside = relation?.isBeside ?? false;
      return relation?.relation === undefined
        ? { ...name, isBeside }
        : { ...name, isBeside, relation: relation.relation };
    }),
    ...related,
  ].filter(({ start, end }) => antecedent === null || start === 0 || end > antecedent.length)
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

function taggedNames(sentence: string, { spans }: SentenceTags): readonly Person[] {
  return spans
    .filter(({ attribute, state, confidence }) =>
      PEOPLE.has(attribute) && !state.startsWith("other") &&
      confidence >= (isSingleValued(attribute) ? ALONE.single : ALONE.span)
    )
    .map(({ attribute, start, end }) => personCalled(sentence.slice(start, end), attribute, start))
    .filter(({ name }) => !isKind(name!));
}

function ruleNames(sentence: string, { user, statements = [] }: Known): readonly Person[] {
  return statements.flatMap(({ drafts }) => drafts)
    .filter(({ subject, attribute, op }) =>
      subject === user && PEOPLE.has(attribute) && op !== "end"
    )
    .map(({ value, attribute }) => personCalled(value, attribute, sentence.indexOf(value)))
    .filter(({ start, name }) => start >= 0 && !isKind(name!));
}

const personCalled = (name: string, attribute: string, start: number): Person => ({
  subject: name.toLowerCase(),
  name,
  start,
  end: start + name.length,
  isPet: attribute === "pet",
});

const RELATION = compile(`(?<![\\p{L}-])(${RELATION_WORDS})(?!${NOT_CALLED})`, "giu");
/** Words after an "s" for "is" or "has" ("wifes a pescatarian", "sisters in Galway"). */
const AFTER_IS = "(?: (?:an?|in|at|from|got|been|\\p{L}+ing)\\b)";
const IS = compile(`^${AFTER_IS}`, "iu");
const RELATION_S = compile(`(?<![\\p{L}-])(${RELATION_WORDS})s(?=${AFTER_IS})`, "giu");

/** Beginnings of a clause. */
const CLAUSE = /(?:^|[,;:.(–—] ?|\b(?:and|but|so|plus|because|while) )$/i;
const MINE = compile(`(?<!\\p{L})${OWN} $`, "iu");
const HAVING = /\b(?:I|we) (?:have|have got|'ve got|got) (?:an?|one)(?: \p{L}+)? $/iu;
const PREPOSITION =
  /\b(?:with|to|for|from|by|of|at|like|than|near|about|after|before|on|off|via)\s*$/i;

/** Returns the relation words of the user's own people, and of those whom claims can't be about. */
function relatives(sentence: string, known: Known): readonly Person[] {
  const found = [...sentence.matchAll(RELATION), ...sentence.matchAll(RELATION_S)];
  return found.flatMap(({ 0: { length }, 1: word = "", index: start }): Person[] => {
    const left = sentence.slice(0, start), right = sentence.slice(start + length);
    const owned = ownedBy(left, word);
    if (owned === null) return [];
    const relation = word.toLowerCase();
    const areSeveral = isPlural(relation) && !IS.test(right);
    const subject = owned === "user" && !areSeveral ? subjectCalled(relation, known) : null;
    const isBeside = PREPOSITION.test(left.replace(MINE, ""));
    const person = { subject, start, end: start + length, isPet: false, isBeside };
    return [owned === "user" ? { ...person, relation } : person];
  });
}

/**
 * Returns whose relation a word is. Null if it isn't a person in the sentence ("works as a
 * doctor").
 */
function ownedBy(left: string, word: string): "user" | "other" | null {
  if (MINE.test(left)) return "user";
  if (OF_SOMEONE.test(left) || AT_WORK.test(left)) return "other";
  if (/\bthe $/i.test(left)) return WITH_THE.test(word) ? "user" : null;
  if (HAVING.test(left)) return "user";
  const attribute = relationAttribute(word);
  const isBare = attribute !== null && KIN.has(attribute) && !AMBIGUOUS.test(word) ||
    /^(?:partner|parents|kids|boss)$/i.test(word);
  return isBare && CLAUSE.test(left) ? "user" : null;
}

/** Returns the subject of a relation word: "my sister" is Klara once the message has named her. */
export function subjectCalled(relation: string, { user, mentions }: Known): string {
  const named = new Set(
    mentions.filter((one) => one.relation === relation && !one.isOfAnother).map(({ subject }) =>
      subject
    ),
  );
  return named.size === 1 ? [...named][0]! : `${user}'s ${relation}`;
}

/** Words between a relation word and the name that belongs to it. */
const TO_NAME =
  /^(?:['’]?s)?(?:,| (?:is |was )?(?:called|named)| name is| is|['’]s name is|:)? \(?$/iu;
const FROM_NAME = compile(`^,? \\(?(?:(?:he's|she's|that's|is) )?${OWN} $`, "iu");

function isNameOf(sentence: string, relation: Person, name: Person): boolean {
  return relation.end <= name.start
    ? TO_NAME.test(sentence.slice(relation.end, name.start))
    : name.end <= relation.start && FROM_NAME.test(sentence.slice(name.end, relation.start));
}
