/** Combines the findings of the rules and the tagger in a sentence. */

import { stemmer } from "stemmer";
import type { Claim, ExtractedFact } from "../../extractor.ts";
import { comparable, importanceOf, isSingleValued, slotKey, tidyValue } from "../../vocabulary.ts";
import { RELATION_WORDS } from "../lexicon/people.ts";
import type { Statement } from "../statements.ts";
import type { TaggedClaim } from "./claims.ts";
import { MIN_ADDED } from "./thresholds.ts";
import { isTagged } from "./verify.ts";
import { compile } from "../lexicon/lines.ts";

const PERSONAL = compile(
  `\\b(?:I|I'm|I've|me|my|mine|myself|we|we're|we've|us|our|ours|${RELATION_WORDS})\\b`,
  "iu",
);

/**
 * Checks whether a sentence mentions the user or a relation, which may be theirs ("Daughter
 * passed!").
 */
export const isPersonal = (sentence: string) => PERSONAL.test(sentence);

/** Returns the claims of the tagger that don't repeat or contradict those of the rules. */
export function addedClaims(
  claims: readonly TaggedClaim[],
  ofRules: readonly Claim[],
): readonly TaggedClaim[] {
  const slots = new Set(ofRules.map(slotKey));
  const known = new Set(ofRules.flatMap(({ value }) => stems(value)));
  // "My ex Lucien" is claimed as an ex, but that ends no relation that the tagger knows.
  const knownEnds = new Set(
    ofRules.filter(({ attribute }) => isTagged(attribute)).flatMap(({ value }) => stems(value)),
  );
  return claims.filter((claim) =>
    claim.confidence >= MIN_ADDED && claim.place !== null && claim.attribute !== "habit" &&
    !(isSingleValued(claim.attribute) && slots.has(slotKey(claim))) &&
    !stems(claim.value).some((stem) => (claim.op === "end" ? knownEnds : known).has(stem))
  );
}

/** Returns the stems of a value's words, so that "restore" and "restoring" are equal. */
const stems = (value: string) =>
  comparable(value).split(" ").filter((word) => word.length > 2 || /\d/.test(word)).map(stemmer);

/** Returns the fact whose text has the value of a claim. */
export const hostOf = ({ value }: TaggedClaim, facts: readonly ExtractedFact[]) =>
  facts.find(({ memory }) => hasWords(memory, value));

/** Adds claims to the facts whose text has their value. */
export function withClaims(
  facts: readonly ExtractedFact[],
  claims: readonly TaggedClaim[],
): readonly ExtractedFact[] {
  const added = new Map<ExtractedFact, Claim[]>();
  for (const claim of claims) {
    const host = hostOf(claim, facts);
    if (host !== undefined) added.set(host, [...added.get(host) ?? [], toClaim(claim)]);
  }
  return facts.map((fact) => {
    const all = [...fact.claims, ...added.get(fact) ?? []];
    return { ...fact, claims: all, importance: importanceOf(fact.memory_type, all) };
  });
}

/** A part of a sentence with the claims whose values it has. */
export interface ClaimedPart {
  readonly text: string;
  readonly claims: readonly TaggedClaim[];
}

/** Divides the claims of a sentence among its statements. The others belong to the whole. */
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

/** Returns a claim as it's stored. */
export function toClaim({ subject, attribute, value, op = "assert" }: TaggedClaim): Claim {
  return { subject, attribute, value: tidyValue(value), op };
}

/** Whether a text has the words of a value, in any form: "is flying to Rome" has "fly to Rome". */
const hasWords = (text: string, value: string) => stemmed(text).includes(stemmed(value));

const stemmed = (text: string) => ` ${comparable(text).split(" ").map(stemmer).join(" ")} `;
