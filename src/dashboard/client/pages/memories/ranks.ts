/** The ranks of results in each step of a search: the geometry of the trace's drawing. */

import type { Trace } from "./explain.ts";

/** One ranking that the search went through. */
export interface Column {
  readonly name: string;
  readonly note: string;
  /** Rank of a memory, from 1; what the step didn't rank is missing. */
  readonly ranks: ReadonlyMap<string, number>;
  /** How many it ranked. */
  readonly total: number;
}

/** The rankings of a trace from the first lists to the order that is shown. */
export function columnsOf(trace: Trace): Column[] {
  const { lists, fused, selected } = trace;
  const byRelevance = fused.toSorted((a, b) => relevance(b) - relevance(a));
  const columns: Column[] = [
    column("Words", "ranked by the words they share", lists.lexical.map(idOf)),
    column("Meaning", "ranked by nearness in meaning", lists.vector.map(idOf)),
    column("Together", "both brought to one scale and added", byRelevance.map(idOf)),
    column("Boosted", "multiplied by the signals", fused.map(idOf)),
  ];
  const ranked = fused.map(idOf);
  const rearranged = selected.some((id, index) => ranked[index] !== id);
  if (rearranged) columns.push(column("Shown", "in the order asked for", selected));
  return columns.filter(({ total }) => total > 0);
}

function relevance({ parts }: Trace["fused"][number]): number {
  return parts["relevance"] ?? 0;
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function column(name: string, note: string, ids: readonly string[]): Column {
  return {
    name,
    note,
    ranks: new Map(ids.map((id, index) => [id, index + 1])),
    total: ids.length,
  };
}
