/** Recognizes values that the words next to them say aren't what the tagger takes them for. */

import type { TaggedSpan } from "../../tagger/mod.ts";
import type { AttributeValue } from "../claim_values.ts";
import { PEOPLE } from "./people.ts";

/** Attributes that a value doesn't have if the words on its left or right match. */
interface Misreading {
  readonly of: ReadonlySet<string>;
  readonly before?: RegExp;
  readonly after?: RegExp;
}

const setOf = (attributes: string): ReadonlySet<string> => new Set(attributes.split(" "));

const MISREADINGS: readonly Misreading[] = [
  // "I teach chemistry in Bulawayo": a teacher's subject and place, not a student's.
  { of: setOf("studies"), before: /\b(?:teach(?:es|ing)?|taught|lectur\p{Ll}+|tutor\p{Ll}*)\b/iu },
  // "I studied architecture at TU Delft": no longer.
  { of: setOf("studies"), before: /(?<!\b(?:have|has|['’]ve|['’]s) )\b(?:studied|majored in) $/i },
  { of: setOf("studies_at"), before: /\b(?:teach(?:es)?|taught|teaching(?! degree))\b[^,;.]*$/i },
  // "I have an interview at Ubisoft": a possible future employer or school.
  {
    of: setOf("works_at studies_at"),
    before:
      /\b(?:interview\p{Ll}*|apply|applying|applied(?= (?:to|for|at|with)\b)|applications?(?= (?:to|for|at|with)\b)|auditions?|shortlisted)\b/iu,
  },
  // "He plays FIFA until four".
  { of: setOf("works_at"), before: /\bplay(?:s|ed|ing)? $/i },
  // "I can't stop eating sunflower seeds".
  {
    of: setOf("avoids"),
    before:
      /\b(?:can't|cant|cannot|can not|couldn't|could not) (?:stop|quit|resist|get enough)(?: \p{L}+){0,2} $/iu,
  },
  // "I gave up coffee and switched to matcha".
  { of: setOf("lives_in"), before: /\bswitch(?:ed|es|ing)?(?: over)? to $/i },
  // "Our anniversary is June 4th".
  {
    of: setOf("birthday"),
    before:
      /\b(?:anniversary|name ?day|graduation|deadline)\b(?!.*\b(?:birthday|born)\b)[^,;.]*(?:, )?$/i,
  },
  // "I'm back to my maiden name, Vantongeren".
  { of: PEOPLE, before: /\b(?:maiden|last|sur|family|married|middle) ?name(?:,|:| is)? $/i },
  // "The videos are for right-handed players".
  { of: setOf("identity"), before: /\bfor (?!(?:being|an?|the) )(?:\p{L}+ )?$/iu },
  // "Half our regulars are pescatarian".
  {
    of: setOf("diet identity religion nationality condition"),
    before:
      /\b(?:half|most|some|all|many)(?: of)? (?:my|our|the) (?:\p{L}+ )?\p{L}+ (?:is|are|was|were)(?: (?:all|also|now))? $/iu,
  },
  // "Start time at my job is 6 am": when it is, not what they do.
  { of: setOf("habit"), after: /^(?: at \p{L}+(?: \p{L}+)?)? (?:is|was) (?:at )?\d/iu },
  // "Day 40", "my shoe size is 43": numbers that count something else.
  {
    of: setOf("age"),
    before:
      /\b(?:sizes?|days?|weeks?|number|no\.?|bus|route|page|chapter|level|season|room|episode)(?: is| was)? $/i,
  },
  // "He is four months", "she is 31 kg".
  {
    of: setOf("age"),
    after:
      /^[\s-]*(?:(?:months?|mos?|weeks?|wks?|days?|hours?|hrs?|min(?:ute)?s?|kg|kilos?|lbs?|pounds|stone|cm|km|miles|foot|feet|ft|inches|grand|percent|degrees|dollars|euros|pages|kids|people)\b|[%°£$€])/i,
  },
  // "My kids are 4, 7 and 11": the ages of several people. "5'10, 34" has a height before the age.
  {
    of: setOf("age"),
    before: /(?<![\d'’.]|\dft|['’] |\p{Lu}\p{Ll}+ )\d{1,2}(?:,|,? (?:and|&)) $/u,
  },
  {
    of: setOf("age"),
    after:
      /^(?:, \d{1,2})*,? (?:and|&) \d{1,2}(?=[.!]*$|,|;| (?:years?|yrs?) old\b| now\b| and\b)/i,
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
    of.has(attribute) && ((before?.test(left) ?? false) || (after?.test(right) ?? false))
  );
}
