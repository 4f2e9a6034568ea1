/** Plans what refined facts do to the active memories of their scope, without a model and without writing. */
import type { Claim, RefinedFact } from "./extractor.ts";
import { claimKey, comparable, isSingleValued, slotKey } from "./vocabulary.ts";

/** An active memory of the scope, as reconciliation needs it. */
export interface ActiveMemory {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly created_at: string;
  readonly claims: readonly Claim[];
}

/** One step of a plan; `fact` is an index into the facts that were given. */
export type Step =
  | { readonly kind: "add"; readonly fact: number }
  | { readonly kind: "update"; readonly fact: number; readonly id: string }
  | {
    readonly kind: "invalidate";
    readonly id: string;
    readonly valid_to: string;
    /** The fact that replaced or ended it. */
    readonly fact: number;
  }
  | {
    readonly kind: "drop";
    readonly fact: number;
    /** The memory that says so already; null when an earlier fact of the same request does. */
    readonly id: string | null;
  };

const STOP = new Set(
  ("user be is am are was were been has have had do does did in at of to and or for on with as by from now currently also still just " +
    "really very too today their they them that this it its who which named called not no").split(
      " ",
    ),
);

/** Content words of a text, compared without number and without function words. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = comparable(text).replace(/'s\b/g, "").split(" ").filter((word) =>
    word && !STOP.has(word)
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
    return /[^\p{L}\p{N}]/u.test(word) || STOP.has(word) || ARTICLE.test(word) ||
      words.has(stem(word));
  });
}
const covers = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...b].every((word) => a.has(word));

const keys = (claims: readonly Claim[]) =>
  new Set(claims.map((claim) => `${claim.op}\n${claimKey(claim)}`));

/** A claim with its slot and value in the form in which they are compared. */
interface ComparedClaim {
  readonly claim: Claim;
  readonly slot: string;
  readonly subject: string;
  readonly value: string;
}

/** A fact or a memory with what it is compared by, worked out once. */
interface Compared<T> {
  readonly one: T;
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  readonly claims: readonly ComparedClaim[];
}

function compared<T extends RefinedFact | ActiveMemory>(one: T): Compared<T> {
  const { memory, claims } = one;
  return {
    one,
    text: comparable(memory),
    words: contentWords(memory),
    keys: keys(claims),
    claims: claims.map((claim) => ({
      claim,
      slot: slotKey(claim),
      subject: comparable(claim.subject),
      value: comparable(claim.value),
    })),
  };
}

/** The same fact again: same text, or the same claims in words that add nothing. */
function repeats(fact: Compared<RefinedFact>, memory: Compared<ActiveMemory>): boolean {
  if (fact.text === memory.text) return true;
  if (!fact.keys.size || !covers(memory.keys, fact.keys)) return false;
  return covers(memory.words, fact.words) &&
    (fact.one.valid_from === null || fact.one.valid_from === memory.one.valid_from);
}

/** A richer statement of the same fact: every content word of the old text and more, no claim lost. */
function enriches(fact: Compared<RefinedFact>, memory: Compared<ActiveMemory>): boolean {
  const before = memory.words, after = fact.words;
  if (before.size < 2 || after.size <= before.size || !covers(after, before)) return false;
  if (!covers(fact.keys, memory.keys)) return false;
  if (memory.keys.size > 0) return true;
  return memory.one.memory_type === fact.one.memory_type &&
    memory.one.event_date === fact.one.event_date && before.size >= 3;
}

/** Start of a memory's validity: the same precedence as state uses. */
const startOf = (
  one: { valid_from: string | null; event_date: string | null },
  otherwise: string,
) => one.valid_from ?? one.event_date ?? otherwise;

/** States of marriage that end it, whoever the spouse was. */
const ENDS_MARRIAGE = /^(?:divorced|widowed|separated|single)$/;

/** Whether two values mean the same when one of them is the shorter name ("Siemens", "Siemens AG"). */
function sameThing(a: string, b: string): boolean {
  const x = new Set(a.split(" ")), y = new Set(b.split(" "));
  return covers(x, y) || covers(y, x);
}

/** Whether a claim of a new fact takes the place of, or closes, an active memory's claim. */
function closes(own: ComparedClaim, held: ComparedClaim): boolean {
  const { attribute, op } = own.claim;
  const sameSlot = own.slot === held.slot;
  if (op === "end") return sameSlot && sameThing(own.value, held.value);
  if (sameSlot) return isSingleValued(attribute) && own.value !== held.value;
  return attribute === "marital_status" && ENDS_MARRIAGE.test(own.value) &&
    held.claim.attribute === "spouse" && own.subject === held.subject;
}

/** The instant at which `fact` closes `memory`; null when the fact is about an earlier time than it. */
function closingTime(
  fact: RefinedFact,
  memory: ActiveMemory,
  at: string,
  ends: boolean,
): string | null {
  if (!ends && fact.valid_to !== null && fact.valid_to <= at) return null;
  const time = fact.valid_from ?? (ends ? fact.event_date : null) ?? at;
  const since = memory.valid_from ?? memory.event_date;
  if (since === null || since <= time) return time;
  return fact.valid_from === null ? since : null;
}

/**
 * Active memories by what a fact can meet them in. A request may hold thousands of facts and a scope
 * thousands of memories: comparing each with each took 15 s, and this takes a tenth of a second.
 */
class ActiveIndex {
  readonly #all: readonly Compared<ActiveMemory>[];
  readonly #texts = new Map<string, number[]>();
  readonly #keys = new Map<string, number[]>();
  readonly #slots = new Map<string, number[]>();
  /** By the word of each that fewest others have: a richer statement has every word of it. */
  readonly #rarest = new Map<string, number[]>();

  constructor(active: readonly Compared<ActiveMemory>[]) {
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
  like({ text, keys }: Compared<RefinedFact>): readonly Compared<ActiveMemory>[] {
    const [key] = keys;
    return this.#inOrder([this.#texts.get(text), key && this.#keys.get(key)]);
  }

  /** Those that may say less than the fact says. */
  poorerThan({ words }: Compared<RefinedFact>): readonly Compared<ActiveMemory>[] {
    return this.#inOrder([...words].map((word) => this.#rarest.get(word)));
  }

  /** Those whose claims the fact may close. */
  rivals({ claims }: Compared<RefinedFact>): readonly Compared<ActiveMemory>[] {
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

function invalidations(
  fact: Compared<RefinedFact>,
  index: number,
  active: readonly Compared<ActiveMemory>[],
  at: string,
  gone: Set<string>,
): Step[] {
  return active.flatMap((memory): Step[] => {
    const { id } = memory.one;
    if (gone.has(id)) return [];
    const closing = fact.claims.filter((claim) =>
      memory.claims.some((held) => held.claim.op === "assert" && closes(claim, held))
    );
    if (!closing.length) return [];
    const ends = closing.some(({ claim }) => claim.op === "end");
    const valid_to = closingTime(fact.one, memory.one, at, ends);
    if (valid_to === null) return [];
    gone.add(id);
    return [{ kind: "invalidate", id, valid_to, fact: index }];
  });
}

/**
 * Plans the writes for `facts` against the `active` memories of one scope. `at` is the request's event
 * date, else the time of writing. Steps come in the order in which they are to be written; a memory is
 * updated or invalidated at most once, and a dropped fact writes nothing. It gives way after every fact,
 * since a request may hold thousands.
 */
export function* reconciling(
  facts: readonly RefinedFact[],
  active: readonly ActiveMemory[],
  at: string,
): Generator<void, readonly Step[]> {
  const steps: Step[] = [];
  const gone = new Set<string>(), touched = new Set<string>(), texts = new Set<string>();
  const known: Compared<ActiveMemory>[] = [];
  for (const memory of active) yield void known.push(compared(memory));
  const index = new ActiveIndex(known);
  for (const [position, one] of facts.entries()) {
    yield;
    const fact = compared(one);
    const same = index.like(fact).find((memory) =>
      !gone.has(memory.one.id) && repeats(fact, memory)
    );
    if (same || texts.has(fact.text)) {
      steps.push({ kind: "drop", fact: position, id: same?.one.id ?? null });
      continue;
    }
    texts.add(fact.text);
    const poorer = index.poorerThan(fact)
      .filter((memory) =>
        !gone.has(memory.one.id) && !touched.has(memory.one.id) && enriches(fact, memory)
      )
      .map((memory) => memory.one)
      .sort((a, b) => startOf(b, b.created_at) < startOf(a, a.created_at) ? -1 : 1)[0];
    if (poorer) touched.add(poorer.id);
    steps.push(
      poorer ? { kind: "update", fact: position, id: poorer.id } : { kind: "add", fact: position },
    );
    const others = index.rivals(fact).filter((memory) => memory.one.id !== poorer?.id);
    steps.push(...invalidations(fact, position, others, at, gone));
  }
  return steps;
}

/** The same plan in one go. */
export function reconcile(
  facts: readonly RefinedFact[],
  active: readonly ActiveMemory[],
  at: string,
): readonly Step[] {
  const planning = reconciling(facts, active, at);
  for (;;) {
    const { done, value } = planning.next();
    if (done) return value;
  }
}
