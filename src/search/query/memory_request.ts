/**
 * Request and result of a memory search. Both are plain data, since they cross a worker boundary.
 */

/** Search modes. docs/search.md describes the order that each one returns. */
export const MODES = ["hybrid", "recent", "important", "typed"] as const;
export type Mode = typeof MODES[number];

/** Search strategies: how many candidates are considered, and how strictly. */
export const STRATEGY_NAMES = ["balanced", "precision", "recall", "auto"] as const;
export type StrategyName = typeof STRATEGY_NAMES[number];

/** Sort orders that replace the order by relevance. */
export const SORT_ORDERS = ["recent", "importance", "most_accessed", "last_accessed"] as const;
export type SortOrder = typeof SORT_ORDERS[number];

/** A search of the memories of a project. */
export interface MemorySearchRequest {
  readonly project: number;
  readonly query: string;
  /**
   * Attributes that every result must have, as the text index names them, such as `user_id=ana`.
   */
  readonly tags: readonly string[];
  /** A filter that compiles, or undefined for none. */
  readonly filters: unknown;
  readonly mode: Mode;
  readonly strategy: StrategyName;
  readonly sortBy: SortOrder | null;
  readonly minScore: number;
  readonly topK: number;
  readonly trace: boolean;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  /** Whether the query is being embedded and its vector can follow. */
  readonly vectorExpected: boolean;
}

/** The embedding of a query, with the properties of its model that ranking needs. */
export interface QueryVector {
  /** Number of the model in this database. */
  readonly model: number;
  readonly vector: Float32Array;
  readonly signs: Uint8Array;
  readonly weight: { readonly memories: number; readonly documents: number };
  /** Cosine similarity of unrelated texts (`none`) and of texts with the same meaning (`same`). */
  readonly similarity: { readonly none: number; readonly same: number };
}

/** A memory that was found. */
export interface FoundMemory {
  readonly id: string;
  /** Score in [0, 1]. Scores are comparable within one result only. */
  readonly score: number;
}

/** Intermediate results of a search, returned if `trace` is true. */
export interface Trace {
  readonly strategy: string;
  readonly terms: readonly { term: string; frequency: number; weight: number; asked: boolean }[];
  /** Matches of each list, best first. */
  readonly lists: { readonly lexical: readonly ListEntry[]; readonly vector: readonly ListEntry[] };
  /** Every scored memory with the parts of its score. */
  readonly fused: readonly ScoreBreakdown[];
  /** Ids of the results, in order. */
  readonly selected: readonly string[];
  /** The results with the parts of their score and their rank by relevance. */
  readonly selected_items: readonly (ScoreBreakdown & { readonly rank: number })[];
}

/**
 * A list entry. Its score is the matched share of the query (lexical) or the cosine similarity
 * (vector).
 */
export interface ListEntry {
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

/** A score and its parts. */
export interface ScoreBreakdown {
  readonly id: string;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Result of a memory search. The trace is null unless it was requested. */
export interface MemorySearchResult {
  readonly found: readonly FoundMemory[];
  readonly trace: Trace | null;
}
