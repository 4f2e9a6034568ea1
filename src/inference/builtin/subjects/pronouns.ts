/** Excludes people that "he" or "she" can't mean. */
import { isPlural } from "../lexicon/people.ts";
import type { Mention } from "../rules/rule.ts";

const FEMALE =
  /^my (?:\p{L}+[- ])*(?:wife|girlfriend|gf|fiancée|mother|mum|mom|mummy|mommy|mama|sister|sis|daughter|aunt|auntie|niece|grandmother|grandma|gran|granny|nana|nan|granddaughter|goddaughter|godmother|(?:mother|sister|daughter)[- ]in[- ]law)$/iu;
const MALE =
  /^my (?:\p{L}+[- ])*(?:husband|hubby|boyfriend|bf|fiancé|father|dad|daddy|papa|brother|bro|son|uncle|nephew|grandfather|grandpa|grandad|granddad|grandson|godson|godfather|(?:father|brother|son)[- ]in[- ]law)$/iu;
/**
 * Checks whether a mention can't be "he" or "she" because its relation word is of the other gender.
 */
export function isOtherGender(
  word: string,
  { display, relation }: Pick<Mention, "display" | "relation">,
): boolean {
  if (/^(?:he|his|she|her)$/i.test(word) && relation !== undefined && isPlural(relation)) {
    return true;
  }
  const called = relation === undefined ? display : `my ${relation}`;
  return /^(?:he|his)$/i.test(word)
    ? FEMALE.test(called)
    : /^(?:she|her)$/i.test(word) && MALE.test(called);
}
