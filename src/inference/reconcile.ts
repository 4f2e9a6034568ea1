/**
 * Plans how facts change the active memories in their scope, without using a model or writing
 * anything.
 */

import {
  type ActiveMemory,
  closes,
  closingTime,
  type Comparand,
  covers,
  toComparand,
  validityStart,
} from "./comparison.ts";
import type { ExtractedFact } from "./extractor.ts";
import { LaterClaims, type Supersession } from "./later_claims.ts";
import { isSingleValued, slotKey } from "./vocabulary.ts";

/** One step in a plan. `fact` is an index into the facts. */
export type PlanStep =
  | { readonly kind: "add"; readonly fact: number }
  | { readonly kind: "update"; readonly fact: number; readonly id: string }
  | {
    readonly kind: "invalidate";
    readonly id: string;
    readonly valid_to: string;
    /** The fact that replaces or ends the memory. */
    readonly fact: number;
  }
  | Supersession & {
    /** A later statement is already stored, so the added fact isn't current. */
    readonly kind: "outdated";
    readonly fact: number;
  }
  | {
    readonly kind: "drop";
    readonly fact: number;
    /**
     * The memory with the same content, or null if it belongs to an earlier fact in the same
     * request.
     */
    readonly id: string | null;
  };

/**
 * Checks whether a fact repeats a memory, i.e. has the same text, or the same claims and no new
 * words.
 */
function repeats(fact: Comparand<ExtractedFact>, memory: Comparand<ActiveMemory>): boolean {
  if (fact.text === memory.text) return true;
  if (!fact.keys.size || !covers(memory.keys, fact.keys)) return false;
  return covers(memory.words, fact.words) &&
    (fact.item.valid_from === null || fact.item.valid_from === memory.item.valid_from);
}

/**
 * Checks whether a fact is a more detailed version of a memory, i.e. has all of its content words
 * and claims, plus more words.
 */
function enriches(fact: Comparand<ExtractedFact>, memory: Comparand<ActiveMemory>): boolean {
  const oldWords = memory.words, newWords = fact.words;
  if (oldWords.size < 2 || newWords.size <= oldWords.size) return false;
  if (!covers(newWords, oldWords)) return false;
  if (!covers(fact.keys, memory.keys)) return false;
  if (memory.keys.size > 0) return true;
  return memory.item.memory_type === fact.item.memory_type &&
    memory.item.event_date === fact.item.event_date && oldWords.size >= 3;
}

/**
 * Indexes active memories by everything a fact can match. A request can have thousands of facts and
 * a scope thousands of memories. Comparing every pair took 15 s, compared with 0.1 s using the
 * index.
 */
class ActiveIndex {
  readonly #all: readonly Comparand<ActiveMemory>[];
  readonly #texts = new Map<string, number[]>();
  readonly #keys = new Map<string, number[]>();
  readonly #slots = new Map<string, number[]>();
  /**
   * Memories keyed by their rarest word. A more detailed statement contains all of a memory's
   * words, including this one.
   */
  readonly #rarest = new Map<string, number[]>();

  constructor(active: readonly Comparand<ActiveMemory>[]) {
    this.#all = active;
    const counts = new Map<string, number>();
    for (const { words } of this.#all) {
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const [at, { text, words, keys, claims }] of this.#all.entries()) {
      append(this.#texts, text, at);
      for (const key of keys) append(this.#keys, key, at);
      const slots = claims.filter(({ claim }) => claim.op === "assert").map(({ slot }) => slot);
      for (const slot of new Set(slots)) append(this.#slots, slot, at);
      const [rarest] = [...words].sort((a, b) => counts.get(a)! - counts.get(b)!);
      if (rarest !== undefined) append(this.#rarest, rarest, at);
    }
  }

  /** Returns memories that could say the same as a fact. */
  findSimilar({ text, keys }: Comparand<ExtractedFact>): readonly Comparand<ActiveMemory>[] {
    const [key] = keys;
    return this.#sorted([this.#texts.get(text), key && this.#keys.get(key)]);
  }

  /** Returns memories that could say less than a fact. */
  findLessSpecific({ words }: Comparand<ExtractedFact>): readonly Comparand<ActiveMemory>[] {
    return this.#sorted([...words].map((word) => this.#rarest.get(word)));
  }

  /** Returns memories with claims a fact could close. */
  findConflicting({ claims }: Comparand<ExtractedFact>): readonly Comparand<ActiveMemory>[] {
    const slots = claims.flatMap(({ slot, claim: { subject, attribute, op } }) => [
      // Assertions for a multi-valued attribute don't close anything, so we skip the slot.
      ...(op === "end" || isSingleValued(attribute) ? [this.#slots.get(slot)] : []),
      ...(attribute === "marital_status"
        ? [this.#slots.get(slotKey({ subject, attribute: "spouse" }))]
        : []),
    ]);
    return this.#sorted(slots);
  }

  #sorted(lists: readonly (readonly number[] | "" | undefined)[]) {
    const positions = new Set(lists.flatMap((list) => list ? [...list] : []));
    return [...positions].sort((a, b) => a - b).map((at) => this.#all[at]!);
  }
}

function append(lists: Map<string, number[]>, key: string, at: number): void {
  const list = lists.get(key);
  if (list) list.push(at);
  else lists.set(key, [at]);
}

/** Returns a fact's claims that close an assertion in a memory. */
const closingClaims = (fact: Comparand<ExtractedFact>, memory: Comparand<ActiveMemory>) =>
  memory.item.observed_later
    ? []
    : fact.claims.filter((claim) =>
      memory.claims.some((existing) => existing.claim.op === "assert" && closes(claim, existing))
    );

function invalidations(
  fact: Comparand<ExtractedFact>,
  index: number,
  active: readonly Comparand<ActiveMemory>[],
  at: string,
  invalidated: Set<string>,
): PlanStep[] {
  return active.flatMap((memory): PlanStep[] => {
    const { id } = memory.item;
    const closing = invalidated.has(id) ? [] : closingClaims(fact, memory);
    if (!closing.length) return [];
    const ends = closing.some(({ claim }) => claim.op === "end");
    const closed = closingTime(fact.item, memory.item, at, ends);
    if (closed === null) return [];
    invalidated.add(id);
    const start = validityStart(memory.item, memory.item.created_at);
    return [{ kind: "invalidate", id, valid_to: closed < start ? start : closed, fact: index }];
  });
}

/**
 * Plans the writes for a list of facts, given the active memories in their scope. Yields after
 * every memory and fact, since a request can have thousands of them.
 *
 * The steps must be written in order. A memory is updated or invalidated at most once, and a
 * dropped fact changes nothing.
 *
 * @param active candidates; those with `observed_later` may already have ended
 * @param at event date of the request, or the time of writing if there is none
 */
export function* reconcileSteps(
  facts: readonly ExtractedFact[],
  active: readonly ActiveMemory[],
  at: string,
): Generator<void, readonly PlanStep[]> {
  const steps: PlanStep[] = [];
  const invalidated = new Set<string>(), touched = new Set<string>(), texts = new Set<string>();
  const known: Comparand<ActiveMemory>[] = [];
  for (const memory of active) yield void known.push(toComparand(memory));
  const index = new ActiveIndex(
    known.filter(({ item: { valid_to } }) => valid_to === null || valid_to > at),
  );
  const later = new LaterClaims(known);
  for (const [position, extracted] of facts.entries()) {
    yield;
    const fact = toComparand(extracted);
    const repeated = index.findSimilar(fact).find((memory) =>
      !invalidated.has(memory.item.id) && repeats(fact, memory)
    );
    const conflicting = index.findConflicting(fact).filter((memory) =>
      !invalidated.has(memory.item.id)
    );
    // A value that ended and was then stated again can end again.
    const endsAgain = conflicting.some((memory) =>
      closingClaims(fact, memory).some(({ claim }) => claim.op === "end")
    );
    if (repeated && !endsAgain || texts.has(fact.text)) {
      steps.push({ kind: "drop", fact: position, id: repeated?.item.id ?? null });
      continue;
    }
    texts.add(fact.text);
    // The later memory might only cover part of the fact, so the fact must not be merged into an
    // active memory.
    const outdated = later.findSupersession(fact);
    const lessSpecific = outdated !== null ? undefined : index.findLessSpecific(fact)
      .filter((memory) =>
        !invalidated.has(memory.item.id) && !touched.has(memory.item.id) && enriches(fact, memory)
      )
      .map((memory) => memory.item)
      .sort((a, b) => validityStart(b, b.created_at) < validityStart(a, a.created_at) ? -1 : 1)[0];
    if (lessSpecific) touched.add(lessSpecific.id);
    steps.push(
      lessSpecific
        ? { kind: "update", fact: position, id: lessSpecific.id }
        : { kind: "add", fact: position },
    );
    if (outdated !== null) steps.push({ kind: "outdated", fact: position, ...outdated });
    const remaining = conflicting.filter((memory) => memory.item.id !== lessSpecific?.id);
    steps.push(...invalidations(fact, position, remaining, at, invalidated));
  }
  return steps;
}

/** Returns the plan from `reconcileSteps` without yielding. */
export function reconcile(
  facts: readonly ExtractedFact[],
  active: readonly ActiveMemory[],
  at: string,
): readonly PlanStep[] {
  const generator = reconcileSteps(facts, active, at);
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}
