/** What a memory search is asked, and what it finds. Plain data: it crosses to a worker and back. */

/** The orders of results, but for `sort_by`; docs/search.md tells what each is. */
export const MODES = ["hybrid", "recent", "important", "typed"] as const;
export type Mode = typeof MODES[number];

/** How far a search looks. */
export const STRATEGY_NAMES = ["balanced", "precision", "recall", "auto"] as const;
export type StrategyName = typeof STRATEGY_NAMES[number];

/** What results can be sorted by in place of their relevance. */
export const SORT_ORDERS = ["recent", "importance", "most_accessed", "last_accessed"] as const;
export type SortOrder = typeof SORT_ORDERS[number];

/** A search of one project's memories. */
export interface MemorySearchRequest {
  readonly project: number;
  readonly query: string;
  /** Attributes that every result must have, as the text index names them: `user_id=ana`. */
  readonly tags: readonly string[];
  /** A filter expression, already known to compile. */
  readonly filters: unknown;
  readonly mode: Mode;
  readonly strategy: StrategyName;
  readonly sortBy: SortOrder | null;
  readonly minScore: number;
  readonly topK: number;
  readonly trace: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a vector of the query is on its way. */
  readonly vectorExpected: boolean;
}

/** A query as a vector, with what search has to know of its model. */
export interface QueryVector {
  /** The number of the model in this database. */
  readonly model: number;
  readonly vector: Float32Array;
  readonly signs: Uint8Array;
  readonly weight: { readonly memories: number; readonly documents: number };
  /** Cosine similarities that mean "nothing in common" and "says the same". */
  readonly similarity: { readonly none: number; readonly same: number };
}

/** One memory found, by its id. */
export interface FoundMemory {
  readonly id: string;
  /** In [0, 1], comparable within one answer. */
  readonly score: number;
}

/** How the result came about, for `trace: true`. */
export interface Trace {
  readonly strategy: string;
  readonly terms: readonly { term: string; frequency: number; weight: number; asked: boolean }[];
  /** What each list found, best first. */
  readonly lists: { readonly lexical: readonly ListEntry[]; readonly vector: readonly ListEntry[] };
  /** Every scored memory with the parts of its score. */
  readonly fused: readonly ScoreBreakdown[];
  /** The ids of the results, in order. */
  readonly selected: readonly string[];
  /** The results with their rank in the order of relevance and the parts of their score. */
  readonly selected_items: readonly (ScoreBreakdown & { readonly rank: number })[];
}

/** A place in a list: by words the share of the query, by vectors the cosine similarity. */
export interface ListEntry {
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

/** A score and what it is made of. */
export interface ScoreBreakdown {
  readonly id: string;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** What a search of memories answers; the trace is null unless it was asked for. */
export interface MemorySearchResult {
  readonly found: readonly FoundMemory[];
  readonly trace: Trace | null;
}
