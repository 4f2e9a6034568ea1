/**
 * Similarities of candidates with a share of those around them: what a conversation is about shows
 * in several turns (R@5 +1 to +1.5 on LoCoMo).
 */

import type { ScoredWindow } from "./context.ts";
import type { VectorScorer } from "../vectors/vector_search.ts";
import { VECTORS } from "../ranking/weights.ts";

/** How far away a memory still lends its similarity. */
const SMOOTHING_STEPS = VECTORS.before.length;

/** Similarities of candidates; NaN for one without a vector. */
export interface Similarities {
  /** Each by itself. */
  readonly own: Float64Array;
  readonly smoothed: Float64Array;
}

/** Compares the candidates with the query, and lends each a share of what stands next to it. */
export function smoothSimilarities(
  scorer: VectorScorer,
  { threadWindow, candidates }: ScoredWindow,
): Similarities {
  const { positions } = threadWindow;
  const { first, end } = threadWindow.windowBounds(SMOOTHING_STEPS);
  const wanted = new Float64Array(threadWindow.length);
  for (const { at } of candidates) {
    for (let other = first[at]!; other < end[at]!; other++) {
      wanted[other] = threadWindow.seqs[other]!;
    }
  }
  const known = scorer.similarities(wanted);
  const own = new Float64Array(candidates.length);
  const smoothed = new Float64Array(candidates.length);
  for (let index = 0; index < candidates.length; index++) {
    const { at } = candidates[index]!;
    let [sum, weights] = [own[index] = known[at]!, 1];
    for (let other = first[at]!; other < end[at]!; other++) {
      const step = positions[other]! - positions[at]!;
      if (step === 0 || Number.isNaN(known[other])) continue;
      const weight = (step < 0 ? VECTORS.before : VECTORS.after)[Math.abs(step) - 1]!;
      sum += weight * known[other]!;
      weights += weight;
    }
    smoothed[index] = sum / weights;
  }
  return { own, smoothed };
}
