/** Measures of a ranking against what should have been found. */

export interface RankMetrics {
  readonly r5: number;
  readonly r10: number;
  readonly r20: number;
  readonly mrr: number;
}

/** Share of the wanted items among the first 5, 10 and 20; reciprocal rank of the first one. */
export function rankMetrics(
  found: readonly (string | undefined)[],
  wanted: readonly string[],
): RankMetrics {
  const recall = (depth: number) => {
    const top = new Set(found.slice(0, depth));
    return wanted.filter((each) => top.has(each)).length / wanted.length;
  };
  const first = found.findIndex((each) => each !== undefined && wanted.includes(each));
  return { r5: recall(5), r10: recall(10), r20: recall(20), mrr: first < 0 ? 0 : 1 / (first + 1) };
}

/** The means over questions. */
export function meanMetrics(metrics: readonly RankMetrics[]): RankMetrics {
  const mean = (pick: (each: RankMetrics) => number) =>
    metrics.reduce((sum, each) => sum + pick(each), 0) / metrics.length;
  return {
    r5: mean((each) => each.r5),
    r10: mean((each) => each.r10),
    r20: mean((each) => each.r20),
    mrr: mean((each) => each.mrr),
  };
}
