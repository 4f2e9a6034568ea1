/** Makes claims of what the tagger finds in a sentence. */

import { RELATION_WORDS } from "../lexicon/people.ts";
import type { SentenceTags, TaggedSpan } from "../../tagger/mod.ts";
import { isSingleValued } from "../../vocabulary.ts";
import type { Mentions } from "../statements.ts";
import type { Draft } from "../rules/rule.ts";
import type { Thresholds } from "./thresholds.ts";
import { valueOf } from "./values.ts";

/** A claim with its subject, and where its value stands in the sentence. */
export interface TaggedClaim extends Draft {
  readonly subject: string;
  /** Offsets of the value, or null if the sentence implies it. */
  readonly place: { readonly start: number; readonly end: number } | null;
  readonly confidence: number;
}

/** Relations with a name that later claims can be about. */
const PEOPLE = new Set(
  "spouse partner child sibling parent grandparent relative friend colleague pet".split(" "),
);

/** Attributes of people and animals, but never of the user. */
const OF_OTHERS = new Set(["species", "breed"]);

const MY_RELATION = new RegExp(`\\b(?:my|our) (?:\\p{L}+ )?(${RELATION_WORDS})(?!\\p{L})`, "iu");
const PRONOUN = /^(?:he|she|they|his|her|their)\b/i;

/** "Half of my family lives in Canada": said of others, unless the user appears as well. */
const OF_FAMILY = new RegExp(
  `^(?:(?:half|most|all|some|one|both|none|part) of )?(?:my|our) (?:\\p{L}+ )?` +
    `(?:family|folks|in-laws|neighbou?rs?|team|${RELATION_WORDS})(?!\\p{L})`,
  "iu",
);
const FIRST_PERSON = /\b(?:I|I'm|I've|we|we're|we've|me|us)\b/i;

/** Attributes whose values stay true: "I used to live in Fresno". */
const OF_THE_PAST = new Set(["lived_in", "worked_at", "studied_at"]);

/** Attributes that a denial asserts: "I don't eat pork". */
const ASSERTED_BY_DENIAL = new Set(
  "avoids dislikes allergic_to condition diet prefers todo pronouns nickname name habit".split(" "),
);

/** What takes back the words behind it, up to the end of the clause. */
const DENIAL =
  /(?:\b(?:not|never|nearly|almost|no longer|neither|nor)\b|n't\b)(?:(?!\b(?:because|cause|since|so|but)\b)[^,;:.])*$/i;

/** "I teach chemistry": a subject of a teacher, not of a student. */
const TEACHES = /\b(?:teach(?:es|ing)?|taught|lectur\p{Ll}+|tutor\p{Ll}*)\b/iu;

/** "I have an interview at Ubisoft": where the user may work or study one day. */
const APPLIES = /\b(?:interview\p{Ll}*|appl(?:y|ying|ied|ications?)|auditions?|shortlisted)\b/iu;

/** Places that a person applies to. */
const APPLIED_TO = new Set(["works_at", "studies_at"]);

/** Whether a value that the tagger takes for valid is denied ("I nearly bought a Tesla"). */
function isDenied(sentence: string, { attribute, state, start }: TaggedSpan): boolean {
  return state === "holds" && !ASSERTED_BY_DENIAL.has(attribute) &&
    DENIAL.test(sentence.slice(0, start));
}

/** Whether the same sentence has a likelier value for an attribute with one value ("a Mac, not Linux"). */
const isOutdone = (span: TaggedSpan, all: readonly TaggedSpan[]): boolean =>
  span.state === "holds" && isSingleValued(span.attribute) &&
  all.some((other) =>
    other.attribute === span.attribute && other.state === span.state &&
    other.confidence > span.confidence
  );

/** Claims of a sentence, in the order of their values. */
export function taggedClaims(
  sentence: string,
  tags: SentenceTags,
  limits: Thresholds,
  speaker: { readonly subject: string },
  mentions: Mentions,
): readonly TaggedClaim[] {
  if (tags.store < limits.store) return [];
  const claims: TaggedClaim[] = [];
  for (const span of tags.spans) {
    const limit = isSingleValued(span.attribute) ? limits.single : limits.span;
    if (span.confidence < limit || isOutdone(span, tags.spans)) continue;
    const found = valueOf(sentence, span, tags);
    if (found === null || isDenied(sentence, span)) continue;
    if (found.attribute === "studies" && TEACHES.test(sentence.slice(0, span.start))) continue;
    if (APPLIED_TO.has(found.attribute) && APPLIES.test(sentence.slice(0, span.start))) continue;
    const subject = subjectOf(sentence, span, claims, speaker.subject, mentions);
    if (subject === null) continue;
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
    const op = ended ? { op: "end" as const } : {};
    claims.push({ attribute, value, subject: speaker.subject, ...op, place: null, confidence });
  }
  return claims;
}

/** Adds what an ended value was: a former employer is one that the user worked at. */
function spelledOut(claim: TaggedClaim): readonly TaggedClaim[] {
  const former = { works_at: "worked_at", lives_in: "lived_in" }[claim.attribute];
  if (claim.op !== "end" || former === undefined) return [claim];
  const { op: _, ...rest } = claim;
  return [claim, { ...rest, attribute: former }];
}

/**
 * Returns the subject of a claim: the user, or the person or animal that was named last before the
 * value. Null if a claim is about someone else, but the sentence names no one.
 */
function subjectOf(
  sentence: string,
  { attribute, state, start }: TaggedSpan,
  earlier: readonly TaggedClaim[],
  user: string,
  mentions: Mentions,
): string | null {
  const isOthers = state.startsWith("other") || OF_OTHERS.has(attribute);
  if (!isOthers) {
    return !PEOPLE.has(attribute) && OF_FAMILY.test(sentence) && !FIRST_PERSON.test(sentence)
      ? null
      : user;
  }
  const named = earlier.findLast((claim) =>
    claim.subject === user && PEOPLE.has(claim.attribute) &&
    (claim.place?.start ?? Infinity) < start
  );
  if (named !== undefined) return named.value.toLowerCase();
  const relation = MY_RELATION.exec(sentence);
  if (relation !== null) return `${user}'s ${relation[1]!.toLowerCase()}`;
  return PRONOUN.test(sentence) && mentions.length === 1 ? mentions[0]!.subject : null;
}
