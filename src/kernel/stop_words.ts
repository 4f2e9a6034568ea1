/**
 * English function words, i.e. words with little meaning of their own. Search, reconciliation and
 * the builtin engine each skip some of them. Every word is in one group, and a set is a union of
 * groups.
 */

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** The groups of stop words. */
export const STOP_WORDS = {
  articles: list("a an the"),
  auxiliaries: list("am are be been did do does had has have is was were"),
  participles: list("being doing having"),
  modals: list("can could should would"),
  /** Some are also names: Will, May. */
  otherModals: list("may might must shall will"),
  negations: list("no not"),
  /** What's left before the apostrophe when a negated verb is split there, and other fragments. */
  negatedVerbs: list(`
    aren cannot couldn didn doesn don hadn hasn haven isn ma mustn o shan shouldn wasn weren won
    wouldn y`),
  /** What's left after the apostrophe. */
  contractions: list("d ll m re s t ve"),
  withoutApostrophe: list("id im ive thats whats youre"),
  thirdPersonPronouns: list("it its their them they"),
  pronouns: list("he her him his i me my myself our she us we you your yours"),
  otherPronouns: list(`
    anyone hers herself himself itself ours ourselves someone theirs themselves yourself
    yourselves`),
  mine: list("mine"),
  demonstratives: list("that this"),
  pluralDemonstratives: list("these those"),
  relativePronouns: list("which who"),
  otherRelativePronouns: list("whom whose"),
  questionWords: list("how what when where why"),
  conjunctions: list("and or"),
  otherConjunctions: list("but if nor so than then"),
  longConjunctions: list("because while"),
  prepositions: list("as at by for from in of on to with"),
  particles: list("about after before down into off out over up"),
  longPrepositions: list("above against below between during through under until"),
  otherPrepositions: list("onto without"),
  quantifiers: list(`
    all any anything both each everything few lot more most much only other own same some something
    such`),
  otherQuantifiers: list("many"),
  vagueNouns: list("bit lots thing things"),
  adverbs: list("just too very"),
  placeAdverbs: list("again here there"),
  otherAdverbs: list("ever further once"),
  additions: list("also now"),
  emphasis: list("really"),
  currentness: list("currently still today"),
  interjections: list("hey hi oh well wow yeah yes"),
  vagueVerbs: list("done get got like"),
  // deno-lint-ignore commonplace/wording -- a list of English words
  requests: list("know let please tell"),
  /** Words used in stored facts: "The user has a dog named Rex". */
  factWords: list("called named user"),
} as const;

/**
 * Returns the words in the given groups.
 *
 * @example
 * ```ts
 * import { stopWords } from "./stop_words.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual([...stopWords("articles", "negations")], ["a", "an", "the", "no", "not"]);
 * ```
 */
export function stopWords(...groups: readonly (keyof typeof STOP_WORDS)[]): ReadonlySet<string> {
  return new Set(groups.flatMap((group) => STOP_WORDS[group]));
}
