/** The ranks of results in each step of a search: the geometry of the trace's drawing. */

import type { Trace } from "./explain.ts";

/** One ranking that the search went through. */
export interface RankColumn {
  readonly name: string;
  readonly note: string;
  /** Rank of a memory, from 1; what the step didn't rank is missing. */
  readonly ranks: ReadonlyMap<string, number>;
  /** How many it ranked. */
  readonly total: number;
}

/** The rankings of a trace from the first lists to the order that is shown. */
export function rankColumns(trace: Trace): RankColumn[] {
  const { lists, fused, selected } = trace;
  const byRelevance = fused.toSorted((a, b) => relevanceOf(b) - relevanceOf(a));
  const columns: RankColumn[] = [
    toColumn("Words", "ranked by the words they share", lists.lexical.map(idOf)),
    toColumn("Meaning", "ranked by nearness in meaning", lists.vector.map(idOf)),
    toColumn("Together", "both brought to one scale and added", byRelevance.map(idOf)),
    toColumn("Boosted", "multiplied by the signals", fused.map(idOf)),
  ];
  const ranked = fused.map(idOf);
  const rearranged = selected.some((id, index) => ranked[index] !== id);
  if (rearranged) columns.push(toColumn("Shown", "in the order asked for", selected));
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
