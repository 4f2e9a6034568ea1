/**
 * The request and result of a memory search. Both are plain data, since they cross a worker
 * boundary.
 */

import type { SimilarityRange } from "../../embedding/embedder.ts";

/** Search modes. See docs/search.md for the result order of each. */
export const MODES = ["hybrid", "recent", "important", "typed"] as const;
export type Mode = typeof MODES[number];

/** Search strategies: how many candidates to consider and how strict to be. */
export const STRATEGY_NAMES = ["balanced", "precision", "recall", "auto"] as const;
export type StrategyName = typeof STRATEGY_NAMES[number];

/** Sort orders that replace relevance. */
export const SORT_ORDERS = ["recent", "importance", "most_accessed", "last_accessed"] as const;
export type SortOrder = typeof SORT_ORDERS[number];

/** A search over the memories in a project. */
export interface MemorySearchRequest {
  readonly project: number;
  readonly query: string;
  /** Attributes required of every result, named as in the text index, e.g. `user_id=ana`. */
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
  /** Whether the query is being embedded, in which case its vector may follow. */
  readonly vectorExpected: boolean;
}

/** A query embedding, plus the model properties needed for ranking. */
export interface QueryVector {
  /** The model's number in this database. */
  readonly model: number;
  readonly vector: Float32Array;
  readonly signs: Uint8Array;
  readonly weight: { readonly memories: number; readonly documents: number };
  readonly similarity: SimilarityRange;
}

/** A matching memory. */
export interface FoundMemory {
  readonly id: string;
  /** Score in [0, 1], only comparable within a single result. */
  readonly score: number;
}

/** Intermediate results of a search, returned if `trace` is true. */
export interface Trace {
  readonly strategy: string;
  readonly terms: readonly { term: string; frequency: number; weight: number; asked: boolean }[];
  /** Matches from each list, best first. */
  readonly lists: { readonly lexical: readonly ListEntry[]; readonly vector: readonly ListEntry[] };
  /** Every scored memory with its score components. */
  readonly fused: readonly ScoreBreakdown[];
  /** Result ids, in order. */
  readonly selected: readonly string[];
  /** The results with their score components and their rank by relevance. */
  readonly selected_items: readonly (ScoreBreakdown & { readonly rank: number })[];
}

/**
 * A list entry. The score is the matched fraction of the query (lexical) or the cosine similarity
 * (vector).
 */
export interface ListEntry {
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

/** A score and its components. */
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
