/** Builds the search trace returned for `trace: true`. */

import type { QueryTerm } from "../lexical/term_search.ts";
import type { MemoryRows, ScoringRow } from "../workers/memory_rows.ts";
import type { ScoreBreakdown, Trace } from "../query/memory_request.ts";
import type { VectorMatch } from "../vectors/vector_search.ts";

/** A memory with its score and score components. */
export interface ScoredMemory extends ScoreBreakdown {
  readonly row: ScoringRow;
}

/** Intermediate results of a search. */
export interface SearchSteps {
  readonly strategy: string;
  readonly terms: readonly QueryTerm[];
  readonly lexical: readonly number[];
  readonly vector: readonly VectorMatch[];
  readonly ranked: readonly ScoredMemory[];
  readonly selected: readonly ScoredMemory[];
}

/**
 * Builds a search's trace. Memories are identified by id, since clients don't know sequence
 * numbers.
 */
export function buildTrace(rows: MemoryRows, steps: SearchSteps): Trace {
  const { strategy, terms, lexical, vector, ranked, selected } = steps;
  const listedSeqs = [...lexical, ...vector.map(({ seq }) => seq)];
  const rowBySeq = new Map(rows.visibleRows(listedSeqs, Infinity).map((row) => [row.seq, row]));
  const wordsBySeq = new Map(ranked.map(({ row, parts }) => [row.seq, parts["words"] ?? 0]));
  const toEntries = (seqs: readonly number[], scoreOf: (index: number, seq: number) => number) =>
    seqs.flatMap((seq, index) => {
      const id = rowBySeq.get(seq)?.id;
      return id === undefined ? [] : [{ id, rank: index + 1, score: scoreOf(index, seq) }];
    });
  const toBreakdown = ({ id, score, parts }: ScoredMemory): ScoreBreakdown => ({
    id,
    score,
    parts,
  });
  return {
    strategy,
    terms: terms.map(({ term, frequency, weight, asked }) => ({ term, frequency, weight, asked })),
    lists: {
      lexical: toEntries(lexical, (_, seq) => wordsBySeq.get(seq) ?? 0),
      vector: toEntries(vector.map(({ seq }) => seq), (index) => vector[index]!.similarity),
    },
    fused: ranked.map(toBreakdown),
    selected: selected.map(({ id }) => id),
    selected_items: selected.map((memory) => ({
      ...toBreakdown(memory),
      rank: ranked.indexOf(memory) + 1,
    })),
  };
}
