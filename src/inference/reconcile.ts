/** Plans what refined facts do to the active memories of their scope, without a model and without writing. */

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

/** One step of a plan; `fact` is an index into the facts that were given. */
export type PlanStep =
  | { readonly kind: "add"; readonly fact: number }
  | { readonly kind: "update"; readonly fact: number; readonly id: string }
  | {
    readonly kind: "invalidate";
    readonly id: string;
    readonly valid_to: string;
    /** The fact that replaced or ended it. */
    readonly fact: number;
  }
  | Supersession & {
    /** Something that was told later is known already: the fact that was added comes before it. */
    readonly kind: "outdated";
    readonly fact: number;
  }
  | {
    readonly kind: "drop";
    readonly fact: number;
    /** The memory that says so already; null when an earlier fact of the same request does. */
    readonly id: string | null;
  };

/** The same fact again: same text, or the same claims in words that add nothing. */
function repeats(fact: Comparand<ExtractedFact>, memory: Comparand<ActiveMemory>): boolean {
  if (fact.text === memory.text) return true;
  if (!fact.keys.size || !covers(memory.keys, fact.keys)) return false;
  return covers(memory.words, fact.words) &&
    (fact.item.valid_from === null || fact.item.valid_from === memory.item.valid_from);
}

/** A richer statement of the same fact: every content word of the old text and more, no claim lost. */
function enriches(fact: Comparand<ExtractedFact>, memory: Comparand<ActiveMemory>): boolean {
  const before = memory.words, after = fact.words;
  if (before.size < 2 || after.size <= before.size || !covers(after, before)) return false;
  if (!covers(fact.keys, memory.keys)) return false;
  if (memory.keys.size > 0) return true;
  return memory.item.memory_type === fact.item.memory_type &&
    memory.item.event_date === fact.item.event_date && before.size >= 3;
}

/**
 * Active memories by what a fact can meet them in. A request may hold thousands of facts and a scope
 * thousands of memories: comparing each with each took 15 s, and this takes a tenth of a second.
 */
class ActiveIndex {
  readonly #all: readonly Comparand<ActiveMemory>[];
  readonly #texts = new Map<string, number[]>();
  readonly #keys = new Map<string, number[]>();
  readonly #slots = new Map<string, number[]>();
  /** By the word of each that fewest others have: a richer statement has every word of it. */
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

  /** Those that may say what the fact says. */
  findSimilar({ text, keys }: Comparand<ExtractedFact>): readonly Comparand<ActiveMemory>[] {
    const [key] = keys;
    return this.#inOrder([this.#texts.get(text), key && this.#keys.get(key)]);
  }

  /** Those that may say less than the fact says. */
  findLessSpecific({ words }: Comparand<ExtractedFact>): readonly Comparand<ActiveMemory>[] {
    return this.#inOrder([...words].map((word) => this.#rarest.get(word)));
  }

  /** Those whose claims the fact may close. */
  findConflicting({ claims }: Comparand<ExtractedFact>): readonly Comparand<ActiveMemory>[] {
    const slots = claims.flatMap(({ slot, claim: { subject, attribute, op } }) => [
      // One more of what one can have several of closes nothing, however many there are.
      ...(op === "end" || isSingleValued(attribute) ? [this.#slots.get(slot)] : []),
      ...(attribute === "marital_status"
        ? [this.#slots.get(slotKey({ subject, attribute: "spouse" }))]
        : []),
    ]);
    return this.#inOrder(slots);
  }

  #inOrder(lists: readonly (readonly number[] | "" | undefined)[]) {
    const places = new Set(lists.flatMap((list) => list ? [...list] : []));
    return [...places].sort((a, b) => a - b).map((at) => this.#all[at]!);
  }
}

function append(lists: Map<string, number[]>, key: string, at: number): void {
  const list = lists.get(key);
  if (list) list.push(at);
  else lists.set(key, [at]);
}

/** The claims of a fact that close an assertion of a memory. */
const closingClaims = (fact: Comparand<ExtractedFact>, memory: Comparand<ActiveMemory>) =>
  memory.item.observed_later
    ? []
    : fact.claims.filter((claim) =>
      memory.claims.some((held) => held.claim.op === "assert" && closes(claim, held))
    );

function invalidations(
  fact: Comparand<ExtractedFact>,
  index: number,
  active: readonly Comparand<ActiveMemory>[],
  at: string,
  gone: Set<string>,
): PlanStep[] {
  return active.flatMap((memory): PlanStep[] => {
    const { id } = memory.item;
    const closing = gone.has(id) ? [] : closingClaims(fact, memory);
    if (!closing.length) return [];
    const ends = closing.some(({ claim }) => claim.op === "end");
    const closed = closingTime(fact.item, memory.item, at, ends);
    if (closed === null) return [];
    gone.add(id);
    const start = validityStart(memory.item, memory.item.created_at);
    return [{ kind: "invalidate", id, valid_to: closed < start ? start : closed, fact: index }];
  });
}

/**
 * Plans the writes for `facts` against the `active` memories of one scope. `at` is the request's event
 * date, else the time of writing; memories that were told after the facts know so, and count also
 * where they have ended by then. Steps come in the order in which they are to be written; a memory is
 * updated or invalidated at most once, and a dropped fact changes nothing. It gives way after every
 * fact, since a request may hold thousands.
 */
export function* reconcileSteps(
  facts: readonly ExtractedFact[],
  active: readonly ActiveMemory[],
  at: string,
): Generator<void, readonly PlanStep[]> {
  const steps: PlanStep[] = [];
  const gone = new Set<string>(), touched = new Set<string>(), texts = new Set<string>();
  const known: Comparand<ActiveMemory>[] = [];
  for (const memory of active) yield void known.push(toComparand(memory));
  const index = new ActiveIndex(
    known.filter(({ item: { valid_to } }) => valid_to === null || valid_to > at),
  );
  const later = new LaterClaims(known);
  for (const [position, one] of facts.entries()) {
    yield;
    const fact = toComparand(one);
    const same = index.findSimilar(fact).find((memory) =>
      !gone.has(memory.item.id) && repeats(fact, memory)
    );
    const rivals = index.findConflicting(fact).filter((memory) => !gone.has(memory.item.id));
    // What has ended before, and was told again since, may end again.
    const endsAgain = rivals.some((memory) =>
      closingClaims(fact, memory).some(({ claim }) => claim.op === "end")
    );
    if (same && !endsAgain || texts.has(fact.text)) {
      steps.push({ kind: "drop", fact: position, id: same?.item.id ?? null });
      continue;
    }
    texts.add(fact.text);
    // What takes the fact's place may be only a part of it: the fact goes into no memory that holds.
    const outdated = later.findSupersession(fact);
    const poorer = outdated !== null ? undefined : index.findLessSpecific(fact)
      .filter((memory) =>
        !gone.has(memory.item.id) && !touched.has(memory.item.id) && enriches(fact, memory)
      )
      .map((memory) => memory.item)
      .sort((a, b) => validityStart(b, b.created_at) < validityStart(a, a.created_at) ? -1 : 1)[0];
    if (poorer) touched.add(poorer.id);
    steps.push(
      poorer ? { kind: "update", fact: position, id: poorer.id } : { kind: "add", fact: position },
    );
    if (outdated !== null) steps.push({ kind: "outdated", fact: position, ...outdated });
    const others = rivals.filter((memory) => memory.item.id !== poorer?.id);
    steps.push(...invalidations(fact, position, others, at, gone));
  }
  return steps;
}

/** The same plan in one go. */
export function reconcile(
  facts: readonly ExtractedFact[],
  active: readonly ActiveMemory[],
  at: string,
): readonly PlanStep[] {
  const planning = reconcileSteps(facts, active, at);
  for (;;) {
    const { done, value } = planning.next();
    if (done) return value;
  }
}
