/**
 * Compares facts and memories by their words, their claims, and whether one claim closes another.
 */

import { stopWords } from "../kernel/stop_words.ts";
import type { Claim, ExtractedFact } from "./extractor.ts";
import {
  claimKey,
  comparable,
  ENDS_MARRIAGE,
  isSameValue,
  isSingleValued,
  slotKey,
} from "./vocabulary.ts";

/** An active memory in the scope, with the fields needed for reconciliation. */
export interface ActiveMemory {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /**
   * Whether the memory was stated after the facts it's compared with. If so, they don't close it.
   */
  readonly observed_later: boolean;
  readonly claims: readonly Claim[];
}

/** Words that may differ between two statements of the same fact. */
export const COMPARISON_STOP_WORDS: ReadonlySet<string> = stopWords(
  "auxiliaries",
  "negations",
  "thirdPersonPronouns",
  "demonstratives",
  "relativePronouns",
  "conjunctions",
  "prepositions",
  "adverbs",
  "additions",
  "emphasis",
  "currentness",
  "factWords",
);

/** Returns a text's content words, without function words and plural endings. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = comparable(text).replace(/'s\b/g, "").split(" ").filter((word) =>
    word && !COMPARISON_STOP_WORDS.has(word)
  );
  return new Set(words.map(stem));
}

/**
 * Only removes plural endings. Search uses the Porter stemmer, which also conflates words with
 * different meanings (passionate and passion, clothing and clothes, news and new). Here, that would
 * make one fact count as a repetition of another: "Jon is passionate about dancing" would cover
 * "Dance is Jon's passion". A search can return a few extra records, but reconciliation would lose
 * one. Turns out the two stemmers disagree on 23 of a million fact pairs from LoCoMo.
 */
const stem = (word: string) => word.length > 3 ? word.replace(/(?:es|s)$/, "") : word;
const ARTICLE = /^(?:the|a|an|my|our|their|his|her)$/;

/**
 * Checks whether a text can consist entirely of the given content words. Also returns true if only
 * an exact comparison can decide. Bails out at the first other word, so it's cheap for unrelated
 * texts, i.e. the vast majority.
 */
export function mayConsistOf(words: ReadonlySet<string>, text: string): boolean {
  return text.toLowerCase().split(/\s+/).every((token) => {
    const word = token.replace(/^[("']+|[\s.,;:!?"')]+$/g, "");
    return /[^\p{L}\p{N}]/u.test(word) || COMPARISON_STOP_WORDS.has(word) || ARTICLE.test(word) ||
      words.has(stem(word));
  });
}

/** Checks whether the first set contains every word in the second. */
export const covers = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...b].every((word) => a.has(word));

const claimKeys = (claims: readonly Claim[]) =>
  new Set(claims.map((claim) => `${claim.op}\n${claimKey(claim)}`));

/** A claim with its normalized slot, subject and value. */
export interface ComparedClaim {
  readonly claim: Claim;
  readonly slot: string;
  readonly subject: string;
  readonly value: string;
}

/** A fact or memory with everything needed to compare it, computed once. */
export interface Comparand<T> {
  readonly item: T;
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  readonly claims: readonly ComparedClaim[];
}

/** Computes everything needed to compare a fact or memory. */
export function toComparand<T extends ExtractedFact | ActiveMemory>(item: T): Comparand<T> {
  const { memory, claims } = item;
  return {
    item,
    text: comparable(memory),
    words: contentWords(memory),
    keys: claimKeys(claims),
    claims: claims.map((claim) => ({
      claim,
      slot: slotKey(claim),
      subject: comparable(claim.subject),
      value: comparable(claim.value),
    })),
  };
}

/** Returns the start of a memory's validity, with the same precedence as the state view. */
export const validityStart = (
  dates: { valid_from: string | null; event_date: string | null },
  fallback: string,
) => dates.valid_from ?? dates.event_date ?? fallback;

/** Checks whether a claim replaces or ends an earlier one. */
export function closes(later: ComparedClaim, earlier: ComparedClaim): boolean {
  const { attribute, op } = later.claim;
  const isSameSlot = later.slot === earlier.slot;
  if (op === "end") return isSameSlot && isSameValue(later.value, earlier.value);
  if (isSameSlot) return isSingleValued(attribute) && later.value !== earlier.value;
  return attribute === "marital_status" && ENDS_MARRIAGE.test(later.value) &&
    earlier.claim.attribute === "spouse" && later.subject === earlier.subject;
}

/** A fact or memory's dates. */
type Times = Pick<ExtractedFact, "valid_from" | "valid_to" | "event_date">;

/**
 * Returns the instant at which a later statement closes an earlier one, or null if it's about an
 * earlier time.
 *
 * @param at when the later statement was made
 * @param ends whether the later statement ends a value rather than replacing it
 */
export function closingTime(
  later: Times,
  earlier: Omit<Times, "valid_to">,
  at: string,
  ends: boolean,
): string | null {
  if (!ends && later.valid_to !== null && later.valid_to <= at) return null;
  const time = later.valid_from ?? (ends ? later.event_date : null) ?? at;
  const start = earlier.valid_from ?? earlier.event_date;
  if (start === null || start <= time) return time;
  // "I moved to Porto last month" closes an earlier "I live in Lisbon" even though its date comes
  // first: Lisbon is only known to be valid from when it was stated.
  const startsWhenObserved = earlier.valid_from === null && start <= at;
  return later.valid_from === null || startsWhenObserved ? start : null;
}
