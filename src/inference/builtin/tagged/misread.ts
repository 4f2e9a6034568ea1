/** Recognizes values that the tagger takes for something else than what is said of them. */

import type { TaggedSpan } from "../../tagger/mod.ts";
import type { AttributeValue } from "../claim_values.ts";
import { PEOPLE } from "./people.ts";

/** Attributes, and words right before or after a value after which it isn't one of them. */
interface Misreading {
  readonly of: ReadonlySet<string>;
  readonly before?: RegExp;
  readonly after?: RegExp;
}

const of = (attributes: string): ReadonlySet<string> => new Set(attributes.split(" "));

const MISREADINGS: readonly Misreading[] = [
  // "I teach chemistry in Bulawayo": a teacher's subject and place, not a student's.
  {
    of: of("studies studies_at"),
    before: /\b(?:teach(?:es|ing)?|taught|lectur\p{Ll}+|tutor\p{Ll}*)\b/iu,
  },
  // "I have an interview at Ubisoft": a possible future employer or school.
  {
    of: of("works_at studies_at"),
    before: /\b(?:interview\p{Ll}*|appl(?:y|ying|ied|ications?)|auditions?|shortlisted)\b/iu,
  },
  // "He plays FIFA until four".
  { of: of("works_at"), before: /\bplay(?:s|ed|ing)? $/i },
  // "I can't stop eating sunflower seeds".
  {
    of: of("avoids"),
    before:
      /\b(?:can't|cant|cannot|can not|couldn't|could not) (?:stop|quit|resist|get enough)(?: \p{L}+){0,2} $/iu,
  },
  // "I gave up coffee and switched to matcha".
  { of: of("lives_in"), before: /\bswitch(?:ed|es|ing)?(?: over)? to $/i },
  // "Our anniversary is June 4th".
  {
    of: of("birthday"),
    before: /\b(?:anniversary|name ?day|graduation|deadline)\b(?!.*\b(?:birthday|born)\b)[^,;.]*$/i,
  },
  // "I'm back to my maiden name, Vantongeren".
  { of: PEOPLE, before: /\b(?:maiden|last|sur|family|married|middle) ?name(?:,|:| is)? $/i },
  // "The videos are for right-handed players".
  { of: of("identity"), before: /\bfor (?:\p{L}+ )?$/iu },
  // "Half our regulars are pescatarian".
  {
    of: of("diet identity religion nationality condition"),
    before:
      /\b(?:half|most|some|all|many)(?: of)? (?:my|our|the) (?:\p{L}+ )?\p{L}+ (?:is|are|was|were)(?: (?:all|also|now))? $/iu,
  },
  // "Day 40", "my shoe size is 43": numbers that count something else.
  {
    of: of("age"),
    before:
      /\b(?:sizes?|days?|weeks?|number|no\.?|bus|route|page|chapter|level|season|room|episode)(?: is| was)? $/i,
  },
  // "He is four months", "she is 31 kg".
  {
    of: of("age"),
    after:
      /^[\s-]*(?:(?:months?|mos?|weeks?|wks?|days?|hours?|hrs?|min(?:ute)?s?|kg|kilos?|lbs?|pounds|stone|cm|km|miles|feet|ft|inches|grand|percent|degrees|dollars|euros|pages|kids|people)\b|[%°£$€])/i,
  },
  // "My kids are 4, 7 and 11": the ages of several people. "5'10, 34" has a height before the age.
  {
    of: of("age"),
    before: /(?<![\d'’.])\d{1,2}(?:,|,? (?:and|&)) $/,
  },
  {
    of: of("age"),
    after: /^(?:, \d{1,2})*,? (?:and|&) \d{1,2}(?=[.!]*$|,|;| years? old\b| now\b)/i,
  },
];

/** Checks whether the words around a span say that its value isn't one of the attribute. */
export function isMisread(
  sentence: string,
  { start, end }: TaggedSpan,
  { attribute }: AttributeValue,
): boolean {
  const left = sentence.slice(0, start), right = sentence.slice(end);
  return MISREADINGS.some(({ of, before, after }) =>
    of.has(attribute) && (before?.test(left) ?? true) && (after?.test(right) ?? true)
  );
}
