/** The full scores of candidates: relevance times all else that speaks for a memory. */

import { partialSort, seqOf } from "./partial_sort.ts";
import type { QueryTerm } from "../lexical/term_search.ts";
import type { MemoryRows, ScoringRow } from "../workers/memory_rows.ts";
import type { MemorySearchRequest } from "../query/memory_request.ts";
import { analyzeQuery, computeFeatures, type FeatureName, type QueryAnalysis } from "./features.ts";
import type { ScoredMemory } from "./trace.ts";

/** A candidate with what speaks for it so far. */
export interface ScoringCandidate {
  readonly seq: number;
  /** As in `Evidence`. */
  readonly words: number;
  readonly similarity: number | null;
  /** Both of them together. */
  readonly relevance: number;
}

/** A memory that may be shown, with its factors. */
interface ScoringInput {
  readonly row: ScoringRow;
  readonly features: Partial<Record<FeatureName, number>>;
}

/** Scores the candidates of one search. */
export class Scorer {
  readonly #rows: MemoryRows;
  readonly #query: QueryAnalysis;
  readonly #options: { readonly typed: boolean; readonly now: number };
  /** By number, those that may be shown. */
  readonly #inputs = new Map<number, ScoringInput>();

  constructor(request: MemorySearchRequest, terms: readonly QueryTerm[], rows: MemoryRows) {
    this.#rows = rows;
    this.#query = analyzeQuery(request.query, terms, request.now);
    this.#options = { typed: request.mode === "typed", now: request.now };
  }

  /** Reads memories, and what speaks for those that may be shown, as far as it wasn't done yet. */
  load(seqs: readonly number[]): void {
    for (const row of this.#rows.visibleRows(seqs, seqs.length)) {
      if (this.#inputs.has(row.seq)) continue;
      this.#inputs.set(row.seq, {
        row,
        features: computeFeatures(this.#query, row, this.#options),
      });
    }
  }

  /** The scores, in [0, 1], of the `most` most relevant that may be shown; best first. */
  score(candidates: readonly ScoringCandidate[], limit: number): ScoredMemory[] {
    const scored: ScoredMemory[] = [];
    for (const piece of partialSort(candidates, limit, relevanceOf)) {
      this.load(piece.map(seqOf));
      for (const candidate of piece) {
        const known = this.#inputs.get(candidate.seq);
        if (known !== undefined && scored.length < limit) scored.push(scoreOf(candidate, known));
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
  const product = Object.values(factors).reduce((all, part) => all * part, 1);
  const parts = { words, ...(similarity === null ? {} : { similarity }), ...factors };
  // tanh keeps the order, maps a full match to .76, and never leaves [0, 1].
  return { id: row.id, score: Math.tanh(product), parts, row };
}
