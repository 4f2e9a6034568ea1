/** Sentences that say a plain thing the other way round, put into the order that the rules read. */
import { ANIMAL_WORDS, BREED_WORDS, RELATION_WORDS } from "./lexicon/people.ts";
import { NAME } from "./values.ts";

const NAMES = `${NAME}(?:(?:, and |, | and | & )${NAME})*`;
const KIN = `(?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})s?`;
/** What somebody did for years, and tells of in passing with "when". */
const LASTED = "I (?:lived|worked|studied) (?:in|at|for) ";

const INVERSIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [
    new RegExp(
      `^(${NAMES}) (?:is|are|was|were) (?:the names? of|what I (?:called|named)) (my ${KIN})$`,
      "u",
    ),
    "$2 is called $1",
  ],
  [new RegExp(`^[Ii]t is (?:just |only )?me,? (${NAME})$`, "u"), "my name is $1"],
  // "Back when I lived in Nagoya I biked everywhere": two facts.
  [new RegExp(`^(?:back )?when (${LASTED}[^,]+?),? (?=I\\b)`, "iu"), "$1; "],
  [new RegExp(`^(.+?),? (?:back )?when (${LASTED}.+)$`, "u"), "$1; $2"],
  // "No dairy for me": a rule of the speaker's own, unless it is for today alone.
  [
    /^no (?:more )?((?!thanks\b|need\b|problem\b|idea\b|way\b)[\p{L} -]{3,30}?) for me(?!,? (?:today|tonight|now|this|then|right|thanks))(?=,|$| [–-])/iu,
    "I avoid $1",
  ],
  // "They found out I'm coeliac": what was found is a diagnosis.
  [
    /^(?:they|(?:my|the) doctors?|(?:my |the )?(?:blood )?tests?) (?:have |has )?(?:recently |just )?(?:found(?: out)?|discovered|confirmed|showed|established)(?: that)? I (?:am|have) /iu,
    "I was diagnosed with ",
  ],
];

/** The sentence in the plain order; itself when it already is. */
export function plainOrder(sentence: string): string {
  for (const [pattern, to] of INVERSIONS) {
    const plain = sentence.replace(pattern, to);
    if (plain !== sentence) return plain;
  }
  return sentence;
}
