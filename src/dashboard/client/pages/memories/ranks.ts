/** The results' ranks after each step of a search, as shown in the rank chart. */

import type { Trace } from "./explain.ts";

/** One of a search's rankings. */
export interface RankColumn {
  readonly name: string;
  readonly note: string;
  /** Rank of each memory, starting at 1. Memories not ranked by the step are missing. */
  readonly ranks: ReadonlyMap<string, number>;
  /** Number of ranked memories. */
  readonly total: number;
}

/** Returns a trace's rankings, from the first lists to the final order. */
export function rankColumns(trace: Trace): RankColumn[] {
  const { lists, fused, selected } = trace;
  const byRelevance = fused.toSorted((a, b) => relevanceOf(b) - relevanceOf(a));
  const columns: RankColumn[] = [
    toColumn("Words", "ranked by shared words", lists.lexical.map(idOf)),
    toColumn("Meaning", "ranked by similarity in meaning", lists.vector.map(idOf)),
    toColumn("Combined", "both scores on one scale, added", byRelevance.map(idOf)),
    toColumn("Boosted", "multiplied by the signals", fused.map(idOf)),
  ];
  const ranked = fused.map(idOf);
  const isReordered = selected.some((id, index) => ranked[index] !== id);
  if (isReordered) columns.push(toColumn("Shown", "in the selected order", selected));
  return columns.filter(({ total }) => total > 0);
}

function relevanceOf({ parts }: Trace["fused"][number]): number {
  return parts["relevance"] ?? 0;
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function toColumn(name: string, note: string, ids: readonly string[]): RankColumn {
  return {
    name,
    note,
    ranks: new Map(ids.map((id, index) => [id, index + 1])),
    total: ids.length,
  };
}
