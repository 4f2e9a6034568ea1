/** Turns the findings of the tagger into claims. */

import { isAgeOfUser } from "../claim_values.ts";
import type { SentenceTags, TaggedSpan } from "../../tagger/mod.ts";
import { isSingleValued } from "../../vocabulary.ts";
import type { Language } from "../lexicon/languages.ts";
import type { Draft } from "../rules/rule.ts";
import { isMisread } from "./misread.ts";
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
export const ASSERTED_BY_DENIAL = new Set(
  "avoids dislikes allergic_to condition diet prefers todo pronouns nickname name habit".split(" "),
);

/** Words that negate the rest of a clause. */
const DENIAL =
  /(?:\b(?:not|never|nearly|almost|no longer|neither|nor)\b|n't\b)(?:(?!\b(?:because|cause|since|so|but)\b)[^,;:.])*$/i;

/** Words that negate a preference ("please no tables"). */
const WITHOUT =
  /\b(?:no(?: more)?|not|never|without|skip|avoid|drop|do not|don't|stop)(?: (?:ever|use|using|add|adding|include|including|send|sending|give me|any|the))* $/i;

/** "Moved here from Toronto": no longer there. */
const LEAVES = /\b(?:mov|relocat)\p{Ll}*(?: \p{Ll}+){0,3} from (?:the )?$/iu;

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

/**
 * Returns the claims of a sentence, in the order of their values.
 *
 * @param language null if the sentence is in English
 */
export function taggedClaims(
  sentence: string,
  tags: SentenceTags,
  limits: Thresholds,
  user: string,
  people: readonly Person[],
  language: Language | null = null,
): readonly TaggedClaim[] {
  if (tags.store < limits.store) return [];
  const claims: TaggedClaim[] = [];
  for (const span of tags.spans) {
    const limit = isSingleValued(span.attribute) ? limits.single : limits.span;
    if (span.confidence < limit || isOutdone(span, tags.spans)) continue;
    const found = valueOf(sentence, asSaid(sentence, span), tags);
    if (found === null || isDenied(sentence, span) || isMisread(sentence, span, found)) continue;
    const subject = subjectOf(sentence, span, user, people, language);
    if (subject === null) continue;
    if (found.attribute === "age" && subject === user && !isAgeOfUser(found.value)) continue;
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
    const subject = subjectOfLabel(sentence, attribute, user, people, language);
    if (subject === null) continue;
    const op = ended ? { op: "end" as const } : {};
    claims.push({ attribute, value, subject, ...op, place: null, confidence });
  }
  return claims;
}

/** Adds the past form of an ended value: `worked_at` for a former employer. */
function spelledOut(claim: TaggedClaim): readonly TaggedClaim[] {
  const former = { works_at: "worked_at", lives_in: "lived_in" }[claim.attribute];
  if (claim.op !== "end" || former === undefined) return [claim];
  const { op: _, ...rest } = claim;
  return [claim, { ...rest, attribute: former }];
}
