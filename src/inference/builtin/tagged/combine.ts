/** Combines what the rules and the tagger find in a sentence. */

import { stemmer } from "stemmer";
import type { Claim, ExtractedFact } from "../../extractor.ts";
import { comparable, isSingleValued, slotKey, tidyValue } from "../../vocabulary.ts";
import { RELATION_WORDS } from "../lexicon/people.ts";
import type { Statement } from "../statements.ts";
import type { TaggedClaim, Thresholds } from "./claims.ts";

/** Least probabilities of claims where the rules find none. */
export const ALONE: Thresholds = { store: 0.5, span: 0.7, single: 0.75, label: 0.95 };

/** The same for sentences that look like questions, requests or hypotheses. */
export const GATED: Thresholds = { store: 0.9, span: 0.9, single: 0.9, label: 0.97 };

/** The same for languages that the rules don't read. */
export const FOREIGN: Thresholds = { store: 0.5, span: 0.6, single: 0.65, label: 0.9 };

/** Least confidence of claims beside those of the rules. */
export const MIN_BESIDE = 0.75;

/** How likely a sentence must be worth storing for what the rules find in it to be kept. */
interface StoreLimits {
  readonly claims: number;
  readonly unclaimed: number;
  /** The same for a sentence that mentions neither the user nor their people. */
  readonly impersonal: number;
}

/** Messages to an assistant, in which little is worth storing. */
export const IN_CHAT: StoreLimits = { claims: 0.02, unclaimed: 0.5, impersonal: 0.98 };

/** Conversations between people. Their salience is measured by other means, too. */
export const IN_TRANSCRIPT: StoreLimits = { claims: 0.001, unclaimed: 0.001, impersonal: 0.001 };

const PERSONAL = new RegExp(
  `\\b(?:I|I'm|I've|me|my|mine|myself|we|we're|we've|us|our|ours|${RELATION_WORDS})\\b`,
  "iu",
);

/** Whether a sentence mentions the user or a relation, who may be theirs ("Daughter passed!"). */
export const isPersonal = (sentence: string) => PERSONAL.test(sentence);

/** Claims of the tagger that don't repeat or contradict those of the rules. */
export function claimsBeside(
  claims: readonly TaggedClaim[],
  ofRules: readonly Claim[],
): readonly TaggedClaim[] {
  const slots = new Set(ofRules.map(slotKey));
  const known = new Set(ofRules.flatMap(({ value }) => stems(value)));
  return claims.filter((claim) =>
    claim.confidence >= MIN_BESIDE && claim.place !== null && claim.attribute !== "habit" &&
    !(isSingleValued(claim.attribute) && slots.has(slotKey(claim))) &&
    !stems(claim.value).some((stem) => known.has(stem))
  );
}

/** The words of a value in the form in which "restore" and "restoring" are the same. */
const stems = (value: string) =>
  comparable(value).split(" ").filter((word) => word.length > 2 || /\d/.test(word)).map(stemmer);

/** Adds claims to the facts whose text has their value, else to the first one. */
export function withClaims(
  facts: readonly ExtractedFact[],
  claims: readonly TaggedClaim[],
): readonly ExtractedFact[] {
  const added = new Map<ExtractedFact, Claim[]>();
  for (const claim of claims) {
    const host = facts.find(({ memory }) => hasWords(memory, claim.value)) ?? facts[0]!;
    added.set(host, [...added.get(host) ?? [], toClaim(claim)]);
  }
  return facts.map((fact) => ({ ...fact, claims: [...fact.claims, ...added.get(fact) ?? []] }));
}

/** A part of a sentence with the claims whose values it has. */
export interface ClaimedPart {
  readonly text: string;
  readonly claims: readonly TaggedClaim[];
}

/** Divides the claims of a sentence among its statements. Claims of none are of the whole. */
export function dividedAmong(
  statements: readonly Statement[],
  whole: string,
  claims: readonly TaggedClaim[],
): readonly ClaimedPart[] {
  const parts = new Map<string, TaggedClaim[]>();
  for (const claim of claims) {
    const part = statements.find(({ text }) => hasWords(text, claim.value))?.text ?? whole;
    parts.set(part, [...parts.get(part) ?? [], claim]);
  }
  // A claim of the whole sentence needs all of its words, so there's nothing left to divide.
  if (parts.has(whole)) return [{ text: whole, claims }];
  return [...parts].map(([text, own]) => ({ text, claims: own }));
}

/** A claim as it's stored. */
export function toClaim({ subject, attribute, value, op = "assert" }: TaggedClaim): Claim {
  return { subject, attribute, value: tidyValue(value), op };
}

const hasWords = (text: string, value: string) => comparable(text).includes(comparable(value));
