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
  return new Set(words.map((word) => word.length > 3 ? word.replace(/(?:es|s)$/, "") : word));
}
const covers = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...b].every((word) => a.has(word));

const asserted = (claims: readonly Claim[]) => claims.filter((claim) => claim.op === "assert");
const keys = (claims: readonly Claim[]) =>
  new Set(claims.map((claim) => `${claim.op}\n${claimKey(claim)}`));

/** The same fact again: same text, or the same claims in words that add nothing. */
function repeats(fact: RefinedFact, memory: ActiveMemory): boolean {
  if (comparable(fact.memory) === comparable(memory.memory)) return true;
  if (!fact.claims.length || !covers(keys(memory.claims), keys(fact.claims))) return false;
  return covers(contentWords(memory.memory), contentWords(fact.memory)) &&
    (fact.valid_from === null || fact.valid_from === memory.valid_from);
}

/** A richer statement of the same fact: every content word of the old text and more, no claim lost. */
function enriches(fact: RefinedFact, memory: ActiveMemory): boolean {
  const before = contentWords(memory.memory), after = contentWords(fact.memory);
  if (before.size < 2 || after.size <= before.size || !covers(after, before)) return false;
  if (!covers(keys(fact.claims), keys(memory.claims))) return false;
  if (memory.claims.length > 0) return true;
  return memory.memory_type === fact.memory_type && memory.event_date === fact.event_date &&
    before.size >= 3;
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
  const x = new Set(comparable(a).split(" ")), y = new Set(comparable(b).split(" "));
  return covers(x, y) || covers(y, x);
}

/** Whether `claim` of a new fact takes the place of, or closes, an active memory's claim. */
function closes(claim: Claim, held: Claim): boolean {
  const sameSlot = slotKey(claim) === slotKey(held);
  if (claim.op === "end") return sameSlot && sameThing(claim.value, held.value);
  if (sameSlot) {
    return isSingleValued(claim.attribute) && comparable(claim.value) !== comparable(held.value);
  }
  return claim.attribute === "marital_status" && ENDS_MARRIAGE.test(comparable(claim.value)) &&
    held.attribute === "spouse" && comparable(claim.subject) === comparable(held.subject);
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

function invalidations(
  fact: RefinedFact,
  index: number,
  active: readonly ActiveMemory[],
  at: string,
  gone: Set<string>,
): Step[] {
  return active.flatMap((memory): Step[] => {
    if (gone.has(memory.id)) return [];
    const pairs = fact.claims.flatMap((claim) =>
      asserted(memory.claims).filter((held) => closes(claim, held)).map((held) => ({ claim, held }))
    );
    if (!pairs.length) return [];
    const valid_to = closingTime(fact, memory, at, pairs.some(({ claim }) => claim.op === "end"));
    if (valid_to === null) return [];
    gone.add(memory.id);
    return [{ kind: "invalidate", id: memory.id, valid_to, fact: index }];
  });
}

/**
 * Plans the writes for `facts` against the `active` memories of one scope. `at` is the request's anchor
 * (its event date, else its time). Steps come in the order in which they are to be written; a memory is
 * updated or invalidated at most once, and a dropped fact writes nothing.
 */
export function reconcile(
  facts: readonly RefinedFact[],
  active: readonly ActiveMemory[],
  at: string,
): readonly Step[] {
  const steps: Step[] = [];
  const gone = new Set<string>(), touched = new Set<string>(), texts = new Set<string>();
  facts.forEach((fact, index) => {
    const text = comparable(fact.memory);
    const same = active.find((memory) => !gone.has(memory.id) && repeats(fact, memory));
    if (same || texts.has(text)) {
      steps.push({ kind: "drop", fact: index, id: same?.id ?? null });
      return;
    }
    texts.add(text);
    const poorer = active
      .filter((memory) => !gone.has(memory.id) && !touched.has(memory.id) && enriches(fact, memory))
      .sort((a, b) => startOf(b, b.created_at) < startOf(a, a.created_at) ? -1 : 1)[0];
    if (poorer) touched.add(poorer.id);
    steps.push(
      poorer ? { kind: "update", fact: index, id: poorer.id } : { kind: "add", fact: index },
    );
    const others = poorer ? active.filter((memory) => memory.id !== poorer.id) : active;
    steps.push(...invalidations(fact, index, others, at, gone));
  });
  return steps;
}
