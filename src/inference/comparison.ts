/**
 * Compares facts and memories: by their words, by their claims, and by whether one claim closes
 * another.
 */

import { stopWords } from "../kernel/stop_words.ts";
import type { Claim, ExtractedFact } from "./extractor.ts";
import { claimKey, comparable, isSameValue, isSingleValued, slotKey } from "./vocabulary.ts";

/** An active memory of the scope, with the fields that reconciliation needs. */
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
   * Whether the memory was stated after the facts it is compared with. Such a memory isn't closed
   * by them.
   */
  readonly observed_later: boolean;
  readonly claims: readonly Claim[];
}

/** Words that two statements of the same fact can differ in. */
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

/** Returns the content words of a text: without function words, and without the plural ending. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = comparable(text).replace(/'s\b/g, "").split(" ").filter((word) =>
    word && !COMPARISON_STOP_WORDS.has(word)
  );
  return new Set(words.map(stem));
}

/**
 * Removes the plural ending only, unlike the Porter stemmer of search. That one also equates words
 * with different meanings (passionate and passion, online clothing and clothes, news and new), so
 * that one fact would count as a repetition of another: "Jon is passionate about dancing" would
 * cover "Dance is Jon's passion". A search can return a few more records, but reconciliation would
 * lose one. Of a million pairs of facts in LoCoMo, 23 compare differently.
 */
const stem = (word: string) => word.length > 3 ? word.replace(/(?:es|s)$/, "") : word;
const ARTICLE = /^(?:the|a|an|my|our|their|his|her)$/;

/**
 * Checks whether a text can consist of the given content words only. Also returns true if only an
 * exact comparison can decide. It stops at the first other word, so it is cheap for unrelated
 * texts, which are most.
 */
export function mayConsistOf(words: ReadonlySet<string>, text: string): boolean {
  return text.toLowerCase().split(/\s+/).every((token) => {
    const word = token.replace(/^[("']+|[\s.,;:!?"')]+$/g, "");
    return /[^\p{L}\p{N}]/u.test(word) || COMPARISON_STOP_WORDS.has(word) || ARTICLE.test(word) ||
      words.has(stem(word));
  });
}

/** Checks whether the first set contains all words of the second. */
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

/** A fact or memory with everything that comparisons need, computed once. */
export interface Comparand<T> {
  readonly item: T;
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  readonly claims: readonly ComparedClaim[];
}

/** Computes everything by which a fact or memory is compared. */
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

/** Returns the start of a memory's validity, with the same precedence as in state views. */
export const validityStart = (
  dates: { valid_from: string | null; event_date: string | null },
  fallback: string,
) => dates.valid_from ?? dates.event_date ?? fallback;

/** Marital statuses that end the marriage to any spouse. */
const ENDS_MARRIAGE = /^(?:divorced|widowed|separated|single)$/;

/** Checks whether a claim replaces or ends a claim that was stated before it. */
export function closes(later: ComparedClaim, earlier: ComparedClaim): boolean {
  const { attribute, op } = later.claim;
  const isSameSlot = later.slot === earlier.slot;
  if (op === "end") return isSameSlot && isSameValue(later.value, earlier.value);
  if (isSameSlot) return isSingleValued(attribute) && later.value !== earlier.value;
  return attribute === "marital_status" && ENDS_MARRIAGE.test(later.value) &&
    earlier.claim.attribute === "spouse" && later.subject === earlier.subject;
}

/** The dates of a fact or memory. */
type Times = Pick<ExtractedFact, "valid_from" | "valid_to" | "event_date">;

/**
 * Returns the instant at which a later statement closes an earlier one, or null if the later
 * statement is about an earlier time.
 *
 * @param at when the later statement was made
 * @param ends whether the later statement ends a value instead of replacing it
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
  // After "I live in Lisbon", the statement "I moved to Porto last month" closes Lisbon, although
  // it is dated earlier: Lisbon only starts at the time when it was stated.
  const startsWhenObserved = earlier.valid_from === null && start <= at;
  return later.valid_from === null || startsWhenObserved ? start : null;
}
