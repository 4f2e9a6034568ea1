/** Computes candidates' final scores, i.e. relevance times memory features. */

import { partialSort, seqOf } from "./partial_sort.ts";
import type { QueryTerm } from "../lexical/term_search.ts";
import type { MemoryRows, ScoringRow } from "../workers/memory_rows.ts";
import type { MemorySearchRequest } from "../query/memory_request.ts";
import { analyzeQuery, computeFeatures, type FeatureName, type QueryAnalysis } from "./features.ts";
import type { ScoredMemory } from "./trace.ts";

/** A candidate with its relevance. */
export interface ScoringCandidate {
  readonly seq: number;
  /** Same as in `Evidence`. */
  readonly words: number;
  readonly similarity: number | null;
  /** Relevance from words and similarity combined. */
  readonly relevance: number;
}

/** A visible memory with its features. */
interface ScoringInput {
  readonly row: ScoringRow;
  readonly features: Partial<Record<FeatureName, number>>;
}

/** Scores the candidates in a single search. */
export class Scorer {
  readonly #rows: MemoryRows;
  readonly #query: QueryAnalysis;
  readonly #options: { readonly typed: boolean; readonly now: number };
  /** Visible memories, keyed by `seq`. */
  readonly #inputs = new Map<number, ScoringInput>();

  constructor(request: MemorySearchRequest, terms: readonly QueryTerm[], rows: MemoryRows) {
    this.#rows = rows;
    this.#query = analyzeQuery(request.query, terms, request.now);
    this.#options = { typed: request.mode === "typed", now: request.now };
  }

  /** Loads memories and computes features of the visible ones. Skips memories already loaded. */
  load(seqs: readonly number[]): void {
    for (const row of this.#rows.visibleRows(seqs, seqs.length)) {
      if (this.#inputs.has(row.seq)) continue;
      this.#inputs.set(row.seq, {
        row,
        features: computeFeatures(this.#query, row, this.#options),
      });
    }
  }

  /** Returns the `limit` most relevant visible candidates, best first, with scores in [0, 1]. */
  score(candidates: readonly ScoringCandidate[], limit: number): ScoredMemory[] {
    const scored: ScoredMemory[] = [];
    for (const batch of partialSort(candidates, limit, relevanceOf)) {
      this.load(batch.map(seqOf));
      for (const candidate of batch) {
        const input = this.#inputs.get(candidate.seq);
        if (input !== undefined && scored.length < limit) scored.push(scoreOf(candidate, input));
      }
      if (scored.length === limit) break;
    }
    return scored.sort((a, b) => b.score - a.score || b.row.seq - a.row.seq);
  }
}

const relevanceOf = ({ relevance }: ScoringCandidate) => relevance;

function scoreOf(
  { words, similarity, relevance }: ScoringCandidate,
  { row, features }: ScoringInput,
): ScoredMemory {
  const factors = { relevance, ...features };
  const product = Object.values(factors).reduce((result, factor) => result * factor, 1);
  const parts = { words, ...(similarity === null ? {} : { similarity }), ...factors };
  // tanh preserves the order, maps a full match to .76 and stays within [0, 1].
  return { id: row.id, score: Math.tanh(product), parts, row };
}
