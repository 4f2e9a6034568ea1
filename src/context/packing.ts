/** Chooses the items of a context: the most useful ones that fit into its budget. */

import { renderContext, WRITERS } from "./render.ts";
import type { ContextItem } from "./schema.ts";
import { estimateTokens } from "./tokens.ts";

/** Maximum length of a text. */
export interface Budget {
  readonly tokens: number;
  readonly characters: number;
}

/**
 * How often each kind is picked. With these weights, the order is: a memory, a current fact, a line
 * of the profile, another memory and a passage, and so on.
 */
const WEIGHTS: Readonly<Record<ContextItem["kind"], number>> = {
  memory: 4,
  state: 2.1,
  profile: 2.05,
  passage: 2,
};

/** Returns the items in the order of their use: the best of each kind, by the kind's weight. */
export function inOrderOfUse(kinds: readonly (readonly ContextItem[])[]): ContextItem[] {
  return kinds.flatMap((items) =>
    items.map((item, rank) => ({ item, order: (rank + 1) / WEIGHTS[item.kind] }))
  ).sort((a, b) => a.order - b.order).map(({ item }) => item);
}

/** Maximum number of UTF-16 code units that `estimateTokens()` counts as one token: spaces. */
const MAX_CHARACTERS_PER_TOKEN = 8;

/** The chosen items, and how many were left out. */
export interface Packed {
  readonly items: readonly ContextItem[];
  readonly text: string;
  /** Estimate of the text's tokens, added up by its parts. */
  readonly tokens: number;
  /** Number of items that didn't fit. */
  readonly overBudget: number;
}

/**
 * Returns the items that fit, in order. One that doesn't fit is left out, and later ones that are
 * shorter can still fit. Nothing is repeated: of a memory and its line in the profile, the first is
 * used, and either replaces the current facts in it, also those chosen before it.
 */
export function pack(
  candidates: readonly ContextItem[],
  format: keyof typeof WRITERS,
  budget: Budget,
): Packed {
  const measure = createMeasure(format);
  let chosen = NOTHING;
  for (const item of candidates) {
    if (repeats(item, chosen)) continue;
    const others = withoutRepetitions(chosen, item, measure);
    if (others.tokens + minTokens(item.text) > budget.tokens) continue;
    const next = add(others, item, measure);
    if (next.tokens <= budget.tokens && next.characters <= budget.characters) chosen = next;
  }
  const included = new Set(chosen.items);
  return {
    items: chosen.items,
    text: renderContext(chosen.items, format),
    tokens: chosen.tokens,
    overBudget: candidates.filter((item) => !included.has(item) && !repeats(item, chosen)).length,
  };
}

/** Chosen items, and how much of the budget they use. */
interface Selection extends Budget {
  readonly items: readonly ContextItem[];
  /** Ids of the memories among them. */
  readonly memories: ReadonlySet<string>;
}

const NOTHING: Selection = { items: [], memories: new Set(), tokens: 0, characters: 0 };

/** Returns how much of a budget an item uses, and if it's the first of its kind, its section. */
type Measure = (item: ContextItem, isFirst: boolean) => Budget;

function createMeasure(format: keyof typeof WRITERS): Measure {
  const { section, item: write, end } = WRITERS[format];
  // By text, since a memory and its line in the profile are mostly equal.
  const measured = new Map<string, Budget>();
  return (item, isFirst) => {
    const text = (isFirst ? section(item) + end(item) : "") + write(item);
    const size = measured.get(text) ??
      { tokens: estimateTokens(text), characters: lengthOf(text) };
    measured.set(text, size);
    return size;
  };
}

function add(chosen: Selection, item: ContextItem, measure: Measure): Selection {
  const size = measure(item, !chosen.items.some(({ kind }) => kind === item.kind));
  return {
    items: [...chosen.items, item],
    memories: isMemory(item) ? new Set([...chosen.memories, ...item.source_ids]) : chosen.memories,
    tokens: chosen.tokens + size.tokens,
    characters: chosen.characters + size.characters,
  };
}

/** Returns a selection without the current facts that say nothing more once an item is added. */
function withoutRepetitions(chosen: Selection, item: ContextItem, measure: Measure): Selection {
  if (!isMemory(item)) return chosen;
  const memories = new Set([...chosen.memories, ...item.source_ids]);
  const kept = chosen.items.filter((other) =>
    other.kind !== "state" || !repeats(other, { memories })
  );
  return kept.length === chosen.items.length ? chosen : selectionOf(kept, measure);
}

function selectionOf(items: readonly ContextItem[], measure: Measure): Selection {
  const kinds = new Set<ContextItem["kind"]>();
  let [tokens, characters] = [0, 0];
  for (const item of items) {
    const size = measure(item, !kinds.has(item.kind));
    kinds.add(item.kind);
    tokens += size.tokens;
    characters += size.characters;
  }
  const memories = new Set(items.filter(isMemory).flatMap(({ source_ids }) => source_ids));
  return { items, memories, tokens, characters };
}

/** Checks whether an item only says what some memories say. Nothing repeats a passage. */
function repeats(
  { kind, source_ids }: ContextItem,
  { memories }: Pick<Selection, "memories">,
): boolean {
  return kind !== "passage" && source_ids.every((id) => memories.has(id));
}

/** Checks whether an item is a whole memory. A current fact can be a part of one. */
function isMemory({ kind }: ContextItem): boolean {
  return kind === "memory" || kind === "profile";
}

/** Returns a lower bound for the estimate of a text, without reading it. */
function minTokens(text: string): number {
  return text.length / MAX_CHARACTERS_PER_TOKEN;
}

/** Returns the number of characters, as code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
