/**
 * Brings the words of a claim's value into the form in which it's stored. Values of the rules have
 * it already; those of a model are words of the message.
 */

import { CLOSED_VALUES } from "../tagger/labels.ts";
import { tidyValue } from "../vocabulary.ts";
import { foreignDay, foreignNumber } from "./lexicon/foreign_numbers.ts";
import { isOccasional } from "./lexicon/jobs.ts";
import { GROWN } from "./lexicon/people.ts";
import { fromGerund, isPastVerb, VERBS } from "./lexicon/verbs.ts";
import { toolAttribute } from "./lexicon/tools.ts";
import { birthday } from "./rules/naming.ts";
import { favorite } from "./rules/taste.ts";
import { digits } from "./values.ts";

/** An attribute of a subject, with its value. */
export interface AttributeValue {
  readonly attribute: string;
  readonly value: string;
}

/** Leading words that don't belong to a value, in the languages that the taggers read. */
const DETERMINER =
  /^(?:the|an?|my|our|some|der|die|das|den|dem|ein(?:e|en|em|er)?|mein(?:e|en|em|er)?|le|la|les|un|une|mon|ma|mes|el|los|las|una|mi|mis|o|os|as|um|uma|meu|minha|il|lo|gli|uno|mio|mia)\s+|^(?:l|un)['’](?=\p{L})/iu;
const ITALIAN_PLURAL = /^i (?=\p{Ll})/u;

/** Punctuation around a value. */
const EDGES = /^[\s,;:!?"“”'‘’()\[\]{}…–—-]+|[\s,;:!?"“”'‘’()\[\]{}…–—-]+$/gu;

/** Attributes whose values are clauses in the infinitive. */
export const CLAUSES: ReadonlySet<string> = new Set(["goal", "plan", "todo"]);

/** Words that nothing ends with, unlike "in" and "on" ("hand it in", "move on"). */
const HANGING = /\s+(?:by|at|to|for|with|from|and|or|of|until|w|the|an?|my)$/i;

/** Attributes that count people, in groups ("two sons and a daughter"). */
const COUNTS = new Set(["children", "siblings"]);

/** A number that is only explained by the words after it ("three, two boys and a girl"). */
const TOTAL = /^\S+(?: (?:kids|children|siblings))?(?=\s*[,:(–—])/i;

/** Separators in a list of people. */
const BETWEEN_PARTS = /\s*(?:[,+&]|(?<!\p{L})(?:and|plus|und|y|et|e)(?!\p{L}))\s*/iu;

/** Attributes that name a person. */
const NAMES = new Set(
  ("name nickname spouse partner child sibling parent grandparent relative friend colleague " +
    "neighbor roommate teacher doctor").split(" "),
);

/** Words that aren't names: pronouns, relations and others. */
const NO_NAME =
  /^(?:unknown|none|no|n\/a|tbd|mr|mrs|ms|miss|dr|prof|i|me|you|he|she|it|they|we|him|her|them|this|that|one|someone|everyone|mum|mom|dad|baby|kids?|son|daughter|sister|brother|wife|husband|partner|friend|boss|girl|boy|man|woman|guys?|babe|honey|love|dear|mate|dude|sir|madam|there|here|both|all)$/i;

const MAX_NAME_WORDS = 4;

/** Verbs that say nothing alone. */
const WITHOUT_OBJECT = /^(?:buy|get|have|make|do|take|find|use|start|go)$/i;

/** Other words for diets with a name of their own. */
const DIETS: ReadonlyMap<string, string> = new Map([
  ["plant based", "vegan"],
  ["plant-based", "vegan"],
  ["veggie", "vegetarian"],
  ["gluten free", "gluten-free"],
  ["pescetarian", "pescatarian"],
]);

/**
 * Returns the attribute and value of a claim as they're stored, or null if the words can't be a
 * value of the attribute. Diets beyond the listed ones stay as they are; the other closed
 * attributes have none.
 */
export function normalized(attribute: string, words: string): AttributeValue | null {
  const value = tidyValue(words.replace(EDGES, "")).replace(DETERMINER, "").replace(
    ITALIAN_PLURAL,
    "",
  );
  if (!/[\p{L}\p{N}]/u.test(value)) return null;
  if (attribute === "age") return numeric(attribute, yearsIn(value));
  if (COUNTS.has(attribute)) {
    return numeric(attribute, peopleIn(tidyValue(words.replace(EDGES, ""))));
  }
  if (attribute === "birthday") {
    const day = /^\d\d-\d\d$/.test(value) ? value : birthday(value) ?? foreignDay(value);
    return day === null ? null : { attribute, value: day };
  }
  if (NAMES.has(attribute)) {
    return NO_NAME.test(value) || value.split(" ").length > MAX_NAME_WORDS
      ? null
      : { attribute, value };
  }
  if (Object.hasOwn(CLOSED_VALUES, attribute)) return closed(attribute, value.toLowerCase());
  if (attribute.startsWith("favorite_") || attribute.startsWith("favourite_")) {
    return { attribute: favorite(attribute.slice(attribute.indexOf("_") + 1)), value };
  }
  if (attribute === "species") {
    return { attribute, value: GROWN.get(value.toLowerCase().replace(/s$/, "")) ?? value };
  }
  if (attribute === "job_title" && isOccasional(value)) return null;
  if (CLAUSES.has(attribute)) return clause(attribute, value);
  if (attribute === "uses") return { attribute: toolAttribute(value) ?? attribute, value };
  return { attribute, value };
}

/** Returns "fly to Denver" for "to fly to Denver by", "flying to Denver". Null if it was done. */
function clause(attribute: string, value: string): AttributeValue | null {
  let words = value.replace(/^to (?=\p{L})/u, "").replace(/^off to /i, "go to ");
  while (HANGING.test(words)) words = words.replace(HANGING, "");
  const [first = "", ...rest] = words.split(" ");
  const base = fromGerund(first);
  if (rest.length === 0 && WITHOUT_OBJECT.test(base)) return null;
  if (/ing$/i.test(first) && VERBS.has(base)) {
    return { attribute, value: [base, ...rest].join(" ") };
  }
  const isName = attribute === "plan" && rest.length === 0 && !VERBS.has(first.toLowerCase());
  const isDone = isPastVerb(first) && !VERBS.has(first.toLowerCase());
  return isName || isDone ? null : { attribute, value: words };
}

function closed(attribute: string, value: string): AttributeValue | null {
  const known = CLOSED_VALUES[attribute]!.find((one) => one === value);
  if (known !== undefined) return { attribute, value: known };
  return attribute === "diet" ? { attribute, value: DIETS.get(value) ?? value } : null;
}

const numeric = (attribute: string, number: number | null): AttributeValue | null =>
  number === null ? null : { attribute, value: String(number) };

/** No one writes at the age of one ("I'm the one who's broke"). */
export const isAgeOfUser = (value: string): boolean => Number(value) >= 4;

/** "A hundred and one" isn't one, and four months aren't four years. */
const yearsIn = (text: string): number | null =>
  /\b(?:hundred|(?:month|mo|week|wk|day)s?)\b/i.test(text)
    ? null
    : firstNumber(text.replace(/\ban? /gi, ""));

/** Returns the first number of a text, in digits or in words. */
function firstNumber(text: string): number | null {
  const words = text.split(" ").map((word) => word.replace(EDGES, ""));
  for (const [i, word] of words.entries()) {
    const number = digits(word) ?? /^\d+/.exec(word)?.[0];
    if (number) return Number(digits(`${word} ${words[i + 1] ?? ""}`) ?? number);
    const foreign = foreignNumber(words.slice(i).join(" "));
    if (foreign !== null) return foreign;
  }
  return null;
}

/** Returns the sum of a list of people. Null if one of its parts has no number ("two and some"). */
function peopleIn(text: string): number | null {
  const parts = (TOTAL.exec(text)?.[0] ?? text).split(BETWEEN_PARTS).filter((part) => part !== "");
  let sum: number | null = null;
  for (const part of parts) {
    const number = firstNumber(part);
    if (number === null) return null;
    sum = (sum ?? 0) + number;
  }
  return sum;
}
