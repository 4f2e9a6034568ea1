/** Turns the findings of the tagger into claims. */

import { isAgeOfUser } from "../claim_values.ts";
import type { SentenceTags, TaggedSpan } from "../../tagger/mod.ts";
import { isSingleValued } from "../../vocabulary.ts";
import type { Draft } from "../rules/rule.ts";
import type { Person } from "./people.ts";
import { subjectOf, subjectOfLabel } from "./subjects.ts";
import type { Thresholds } from "./thresholds.ts";
import { valueOf } from "./values.ts";

/** A claim with its subject, and the position of its value in the sentence. */
export interface TaggedClaim extends Draft {
  readonly subject: string;
  /** Offsets of the value, or null if the sentence implies it. */
  readonly place: { readonly start: number; readonly end: number } | null;
  readonly confidence: number;
}

/** Attributes whose values stay true: "I used to live in Fresno". */
const OF_THE_PAST = new Set(["lived_in", "worked_at", "studied_at"]);

/** Attributes that a denial asserts: "I don't eat pork". */
const ASSERTED_BY_DENIAL = new Set(
  "avoids dislikes allergic_to condition diet prefers todo pronouns nickname name habit".split(" "),
);

/** Words that negate the rest of a clause. */
const DENIAL =
  /(?:\b(?:not|never|nearly|almost|no longer|neither|nor)\b|n't\b)(?:(?!\b(?:because|cause|since|so|but)\b)[^,;:.])*$/i;

/** Words that negate a preference ("please no tables"). */
const WITHOUT =
  /\b(?:no(?: more)?|not|never|without|skip|avoid|drop|do not|don't|stop)(?: (?:ever|use|using|add|adding|include|including|send|sending|give me|any|the))* $/i;

/** "I teach chemistry": a teacher's subject, not a student's. */
const TEACHES = /\b(?:teach(?:es|ing)?|taught|lectur\p{Ll}+|tutor\p{Ll}*)\b/iu;

/** "I have an interview at Ubisoft": a possible future employer or school. */
const APPLIES = /\b(?:interview\p{Ll}*|appl(?:y|ying|ied|ications?)|auditions?|shortlisted)\b/iu;

/** "I can't stop eating sunflower seeds". */
const CANNOT_STOP =
  /\b(?:can't|cant|cannot|can not|couldn't|could not) (?:stop|quit|resist|get enough)(?: \p{L}+){0,2} $/iu;

/** What a person switches to isn't a place: "I gave up coffee and switched to matcha". */
const SWITCHES = /\bswitch(?:ed|es|ing)?(?: over)? to $/i;

/** "Moved here from Toronto": no longer there. */
const LEAVES = /\b(?:mov|relocat)\p{Ll}*(?: \p{Ll}+){0,3} from (?:the )?$/iu;

/** "Our anniversary is June 4th": not a birthday. */
const OTHER_DAY =
  /\b(?:anniversary|name ?day|graduation|deadline)\b(?!.*\b(?:birthday|born)\b)[^,;.]*$/i;

/** Places that a person applies to. */
const APPLIED_TO = new Set(["works_at", "studies_at"]);

/** Checks whether a value that the tagger considers valid is denied ("I nearly bought a Tesla"). */
function isDenied(sentence: string, { attribute, state, start }: TaggedSpan): boolean {
  return state === "holds" && !ASSERTED_BY_DENIAL.has(attribute) &&
    DENIAL.test(sentence.slice(0, start));
}

/** "No tables" is something to avoid, and "moved here from Toronto" names a former home. */
function asSaid(sentence: string, span: TaggedSpan): TaggedSpan {
  const before = sentence.slice(0, span.start);
  if (span.attribute === "prefers" && WITHOUT.test(before)) return { ...span, attribute: "avoids" };
  if (span.attribute === "lives_in" && LEAVES.test(before)) {
    return { ...span, attribute: "lived_in" };
  }
  return span;
}

/**
 * Checks whether the same sentence has a likelier value for an attribute with one value ("a Mac,
 * not Linux").
 */
const isOutdone = (span: TaggedSpan, all: readonly TaggedSpan[]): boolean =>
  span.state === "holds" && isSingleValued(span.attribute) &&
  all.some((other) =>
    other.attribute === span.attribute && other.state === span.state &&
    other.confidence > span.confidence
  );

/** Returns the claims of a sentence, in the order of their values. */
export function taggedClaims(
  sentence: string,
  tags: SentenceTags,
  limits: Thresholds,
  user: string,
  people: readonly Person[],
): readonly TaggedClaim[] {
  if (tags.store < limits.store) return [];
  const claims: TaggedClaim[] = [];
  for (const span of tags.spans) {
    const limit = isSingleValued(span.attribute) ? limits.single : limits.span;
    if (span.confidence < limit || isOutdone(span, tags.spans)) continue;
    const found = valueOf(sentence, asSaid(sentence, span), tags);
    if (found === null || isDenied(sentence, span)) continue;
    if (found.attribute === "studies" && TEACHES.test(sentence.slice(0, span.start))) continue;
    if (APPLIED_TO.has(found.attribute) && APPLIES.test(sentence.slice(0, span.start))) continue;
    if (found.attribute === "avoids" && CANNOT_STOP.test(sentence.slice(0, span.start))) continue;
    if (found.attribute === "lives_in" && SWITCHES.test(sentence.slice(0, span.start))) continue;
    if (found.attribute === "birthday" && OTHER_DAY.test(sentence.slice(0, span.start))) continue;
    const subject = subjectOf(sentence, span, user, people);
    if (subject === null) continue;
    if (found.attribute === "age" && !isAge(sentence, span, found.value, subject === user)) {
      continue;
    }
    claims.push(...spelledOut({
      ...found,
      subject,
      ...(span.state.endsWith("ended") && !OF_THE_PAST.has(found.attribute)
        ? { op: "end" as const }
        : {}),
      place: { start: span.start, end: span.end },
      confidence: span.confidence,
    }));
  }
  for (const { attribute, value, ended, confidence } of tags.labels) {
    if (confidence < limits.label || tags.spans.some((span) => span.attribute === attribute)) {
      continue;
    }
    const subject = subjectOfLabel(sentence, attribute, user, people);
    if (subject === null) continue;
    const op = ended ? { op: "end" as const } : {};
    claims.push({ attribute, value, subject, ...op, place: null, confidence });
  }
  return claims;
}

/** Numbers that count something else: "day 40", "my shoe size is 43". */
const COUNTED =
  /\b(?:sizes?|days?|weeks?|number|no\.?|bus|route|page|chapter|level|season|room|episode)(?: is| was)? $/i;

/** "My kids are 4, 7 and 11": the ages of several people. */
const MORE_AGES = /^(?:, \d{1,2})*,? (?:and|&) \d{1,2}(?=[.!]*$|,|;| years? old\b| now\b)/i;
/** Before the last of several ages, but not after a height ("5'10, 34"). */
const AGES_BEFORE = /(?<![\d'’.])\d{1,2}(?:,|,? (?:and|&)) $/;

/** "He is four months". */
const UNDER_A_YEAR = /^[\s-]*(?:months?|mos?|weeks?|wks?|days?)\b/i;

const isAge = (
  sentence: string,
  { start, end }: TaggedSpan,
  value: string,
  ofUser: boolean,
): boolean =>
  !COUNTED.test(sentence.slice(0, start)) && !AGES_BEFORE.test(sentence.slice(0, start)) &&
  !MORE_AGES.test(sentence.slice(end)) && !UNDER_A_YEAR.test(sentence.slice(end)) &&
  (!ofUser || isAgeOfUser(value));

/** Adds the past form of an ended value: `worked_at` for a former employer. */
function spelledOut(claim: TaggedClaim): readonly TaggedClaim[] {
  const former = { works_at: "worked_at", lives_in: "lived_in" }[claim.attribute];
  if (claim.op !== "end" || former === undefined) return [claim];
  const { op: _, ...rest } = claim;
  return [claim, { ...rest, attribute: former }];
}
