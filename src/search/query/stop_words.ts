/** Stop words, i.e. words that don't help find a record. They're indexed, but queries skip them. */

import { stopWords } from "../../kernel/stop_words.ts";
import { termsOf } from "./terms.ts";

/**
 * The stop words of queries. Those that are also names (Will, May, Mark) are left out on purpose.
 */
export const QUERY_STOP_WORDS: ReadonlySet<string> = stopWords(
  "articles",
  "auxiliaries",
  "participles",
  "modals",
  "negations",
  "negatedVerbs",
  "contractions",
  "withoutApostrophe",
  "thirdPersonPronouns",
  "pronouns",
  "otherPronouns",
  "demonstratives",
  "pluralDemonstratives",
  "relativePronouns",
  "otherRelativePronouns",
  "questionWords",
  "conjunctions",
  "otherConjunctions",
  "longConjunctions",
  "prepositions",
  "particles",
  "longPrepositions",
  "quantifiers",
  "otherQuantifiers",
  "adverbs",
  "placeAdverbs",
  "otherAdverbs",
  "additions",
  "requests",
);

const STOP_TERMS: ReadonlySet<string> = new Set(termsOf([...QUERY_STOP_WORDS].join(" ")));

/**
 * Checks whether a term is a stop word. Terms are stems, so stop words are stemmed too.
 *
 * @example
 * ```ts
 * import { isStopTerm } from "./stop_words.ts";
 * import { termsOf } from "./terms.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const terms = termsOf("Where does Will keep his keys?");
 * deepStrictEqual(terms.filter((term) => !isStopTerm(term)), ["will", "keep", "kei"]);
 * ```
 */
export function isStopTerm(term: string): boolean {
  return STOP_TERMS.has(term);
}
