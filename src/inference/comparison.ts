/** By what facts and memories are compared: their words, their claims, and which claim closes which. */

import type { Claim, ExtractedFact } from "./extractor.ts";
import { claimKey, comparable, isSameValue, isSingleValued, slotKey } from "./vocabulary.ts";

/** An active memory of the scope, as reconciliation needs it. */
export interface ActiveMemory {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Whether it was told after the facts that are held against it: it is not theirs to close. */
  readonly observed_later: boolean;
  readonly claims: readonly Claim[];
}

const STOP_WORDS = new Set(
  ("user be is am are was were been has have had do does did in at of to and or for on with as by from now currently also still just " +
    "really very too today their they them that this it its who which named called not no").split(
      " ",
    ),
);

/** Content words of a text, compared without number and without function words. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = comparable(text).replace(/'s\b/g, "").split(" ").filter((word) =>
    word && !STOP_WORDS.has(word)
  );
  return new Set(words.map(stem));
}

const stem = (word: string) => word.length > 3 ? word.replace(/(?:es|s)$/, "") : word;
const ARTICLE = /^(?:the|a|an|my|our|their|his|her)$/;

/**
 * Whether a text can have no content word beside these: true also where only an exact comparison can
 * tell. Ends at the first other word, and so costs little for the many texts about something else.
 */
export function mayConsistOf(words: ReadonlySet<string>, text: string): boolean {
  return text.toLowerCase().split(/\s+/).every((token) => {
    const word = token.replace(/^[("']+|[\s.,;:!?"')]+$/g, "");
    return /[^\p{L}\p{N}]/u.test(word) || STOP_WORDS.has(word) || ARTICLE.test(word) ||
      words.has(stem(word));
  });
}

/** Whether every word of the second stands in the first. */
export const covers = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...b].every((word) => a.has(word));

const claimKeys = (claims: readonly Claim[]) =>
  new Set(claims.map((claim) => `${claim.op}\n${claimKey(claim)}`));

/** A claim with its slot and value in the form in which they are compared. */
export interface ComparedClaim {
  readonly claim: Claim;
  readonly slot: string;
  readonly subject: string;
  readonly value: string;
}

/** A fact or a memory with what it is compared by, worked out once. */
export interface Comparand<T> {
  readonly item: T;
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  readonly claims: readonly ComparedClaim[];
}

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

/** Start of a memory's validity: the same precedence as state uses. */
export const validityStart = (
  one: { valid_from: string | null; event_date: string | null },
  fallback: string,
) => one.valid_from ?? one.event_date ?? fallback;

/** States of marriage that end it, whoever the spouse was. */
const ENDS_MARRIAGE = /^(?:divorced|widowed|separated|single)$/;

/** Whether a claim that was told later takes the place of, or closes, one that was told before. */
export function closes(later: ComparedClaim, earlier: ComparedClaim): boolean {
  const { attribute, op } = later.claim;
  const sameSlot = later.slot === earlier.slot;
  if (op === "end") return sameSlot && isSameValue(later.value, earlier.value);
  if (sameSlot) return isSingleValued(attribute) && later.value !== earlier.value;
  return attribute === "marital_status" && ENDS_MARRIAGE.test(later.value) &&
    earlier.claim.attribute === "spouse" && later.subject === earlier.subject;
}

/** The times of a fact or a memory. */
type Times = Pick<ExtractedFact, "valid_from" | "valid_to" | "event_date">;

/**
 * The instant at which what was told later closes what was told before; null when it is about an
 * earlier time.
 *
 * @param at when it was told
 * @param ends whether it says that something holds no more
 */
export function closingTime(
  later: Times,
  before: Omit<Times, "valid_to">,
  at: string,
  ends: boolean,
): string | null {
  if (!ends && later.valid_to !== null && later.valid_to <= at) return null;
  const time = later.valid_from ?? (ends ? later.event_date : null) ?? at;
  const since = before.valid_from ?? before.event_date;
  if (since === null || since <= time) return time;
  // "I live in Lisbon", then "I moved to Porto last month": what only held when it was told gives way.
  const startsWhenObserved = before.valid_from === null && since <= at;
  return later.valid_from === null || startsWhenObserved ? since : null;
}
