/** How a result came about, for `trace: true`. */

import type { QueryTerm } from "./lexical.ts";
import type { MemoryRows, Row } from "./memory_rows.ts";
import type { ScoredParts, Trace } from "./request.ts";
import type { Near } from "./vector_list.ts";

/** A memory with its score and what that is made of. */
export interface Scored extends ScoredParts {
  readonly row: Row;
}

/** The steps of one search. */
export interface Steps {
  readonly strategy: string;
  readonly terms: readonly QueryTerm[];
  readonly lexical: readonly number[];
  readonly vector: readonly Near[];
  readonly ranked: readonly Scored[];
  readonly selected: readonly Scored[];
}

/** Shows the steps by the ids that clients know. */
export function traceOf(rows: MemoryRows, steps: Steps): Trace {
  const { strategy, terms, lexical, vector, ranked, selected } = steps;
  const listedSeqs = [...lexical, ...vector.map(({ seq }) => seq)];
  const known = new Map(rows.shown(listedSeqs, Infinity).map((row) => [row.seq, row]));
  const relevanceOf = new Map(ranked.map((each) => [each.row.seq, each.parts["words"] ?? 0]));
  const listed = (seqs: readonly number[], scoreOf: (index: number, seq: number) => number) =>
    seqs.flatMap((seq, index) => {
      const id = known.get(seq)?.id;
      return id === undefined ? [] : [{ id, rank: index + 1, score: scoreOf(index, seq) }];
    });
  const show = ({ id, score, parts }: Scored): ScoredParts => ({ id, score, parts });
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
