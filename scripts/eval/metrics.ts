/** Ranking metrics. */

export interface RankMetrics {
  readonly r5: number;
  readonly r10: number;
  readonly r20: number;
  readonly mrr: number;
}

/**
 * Returns the recall of the wanted items at 5, 10 and 20, and the reciprocal rank of the first one.
 */
export function rankMetrics(
  found: readonly (string | undefined)[],
  wanted: readonly string[],
): RankMetrics {
  const recall = (depth: number) => {
    const top = new Set(found.slice(0, depth));
    return wanted.filter((item) => top.has(item)).length / wanted.length;
  };
  const first = found.findIndex((item) => item !== undefined && wanted.includes(item));
  return { r5: recall(5), r10: recall(10), r20: recall(20), mrr: first < 0 ? 0 : 1 / (first + 1) };
}

/** Returns the mean of each metric. */
export function meanMetrics(metrics: readonly RankMetrics[]): RankMetrics {
  const mean = (pick: (question: RankMetrics) => number) =>
    metrics.reduce((sum, question) => sum + pick(question), 0) / metrics.length;
  return {
    r5: mean(({ r5 }) => r5),
    r10: mean(({ r10 }) => r10),
    r20: mean(({ r20 }) => r20),
    mrr: mean(({ mrr }) => mrr),
  };
}
