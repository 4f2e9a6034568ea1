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
 * How often each kind is picked. With these weights, the order is: two memories, a current fact, a
 * line of the profile and a passage, another two memories, and so on.
 */
const WEIGHTS: Readonly<Record<ContextItem["kind"], number>> = {
  memory: 4,
  state: 2.1,
  profile: 2.05,
  passage: 2,
};

/**
 * Returns the items in the order of their use: the best of each kind first, by the weight of the
 * kind. An item is left out if everything it states is stated by an earlier one.
 */
export function inOrderOfUse(kinds: readonly (readonly ContextItem[])[]): ContextItem[] {
  const ranked = kinds.flatMap((items) =>
    items.map((item, rank) => ({ item, order: (rank + 1) / WEIGHTS[item.kind] }))
  ).sort((a, b) => a.order - b.order);
  const stated = new Set<string>();
  return ranked.map(({ item }) => item).filter(({ kind, source_ids }) => {
    // Passages come from documents, which nothing else repeats.
    if (kind === "passage") return true;
    if (source_ids.every((id) => stated.has(id))) return false;
    for (const id of source_ids) stated.add(id);
    return true;
  });
}

/** Maximum number of UTF-16 code units that `estimateTokens()` counts as one token: spaces. */
const MAX_CHARACTERS_PER_TOKEN = 8;

/** The chosen items, and how many were left out. */
export interface Packed {
  readonly items: readonly ContextItem[];
  readonly text: string;
  /** Estimate of the text's tokens, added up by its parts. */
  readonly tokens: number;
  readonly overBudget: number;
}

/**
 * Returns the items that fit, in order. One that doesn't fit is left out, and later ones that are
 * shorter can still fit.
 */
export function pack(
  candidates: readonly ContextItem[],
  format: keyof typeof WRITERS,
  budget: Budget,
): Packed {
  const { section, item: write, end } = WRITERS[format];
  const used = { tokens: 0, characters: 0 };
  const kinds = new Set<string>();
  const items: ContextItem[] = [];
  for (const item of candidates) {
    if (used.tokens + minTokens(item.text) > budget.tokens) continue;
    const text = (kinds.has(item.kind) ? "" : section(item) + end(item)) + write(item);
    const tokens = used.tokens + estimateTokens(text);
    const characters = used.characters + lengthOf(text);
    if (tokens > budget.tokens || characters > budget.characters) continue;
    Object.assign(used, { tokens, characters });
    kinds.add(item.kind);
    items.push(item);
  }
  return {
    items,
    text: renderContext(items, format),
    tokens: used.tokens,
    overBudget: candidates.length - items.length,
  };
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
