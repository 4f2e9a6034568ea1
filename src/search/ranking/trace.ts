/** How a result came about, for `trace: true`. */

import type { QueryTerm } from "../lexical/term_search.ts";
import type { MemoryRows, ScoringRow } from "../workers/memory_rows.ts";
import type { ScoreBreakdown, Trace } from "../query/memory_request.ts";
import type { VectorMatch } from "../vectors/vector_search.ts";

/** A memory with its score and what that is made of. */
export interface ScoredMemory extends ScoreBreakdown {
  readonly row: ScoringRow;
}

/** The steps of one search. */
export interface SearchSteps {
  readonly strategy: string;
  readonly terms: readonly QueryTerm[];
  readonly lexical: readonly number[];
  readonly vector: readonly VectorMatch[];
  readonly ranked: readonly ScoredMemory[];
  readonly selected: readonly ScoredMemory[];
}

/** Shows the steps by the ids that clients know. */
export function buildTrace(rows: MemoryRows, steps: SearchSteps): Trace {
  const { strategy, terms, lexical, vector, ranked, selected } = steps;
  const listedSeqs = [...lexical, ...vector.map(({ seq }) => seq)];
  const known = new Map(rows.visibleRows(listedSeqs, Infinity).map((row) => [row.seq, row]));
  const relevanceOf = new Map(ranked.map((each) => [each.row.seq, each.parts["words"] ?? 0]));
  const listed = (seqs: readonly number[], scoreOf: (index: number, seq: number) => number) =>
    seqs.flatMap((seq, index) => {
      const id = known.get(seq)?.id;
      return id === undefined ? [] : [{ id, rank: index + 1, score: scoreOf(index, seq) }];
    });
  const show = ({ id, score, parts }: ScoredMemory): ScoreBreakdown => ({ id, score, parts });
  return {
    strategy,
    terms: terms.map(({ term, frequency, weight, asked }) => ({ term, frequency, weight, asked })),
    lists: {
      lexical: listed(lexical, (_, seq) => relevanceOf.get(seq) ?? 0),
      vector: listed(vector.map(({ seq }) => seq), (index) => vector[index]!.similarity),
    },
    fused: ranked.map(show),
    selected: selected.map((each) => each.id),
    selected_items: selected.map((each) => ({ ...show(each), rank: ranked.indexOf(each) + 1 })),
  };
}
