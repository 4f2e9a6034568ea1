/**
 * Smooths candidates' similarities over their neighbours, since a conversation usually stays on a
 * subject for several turns (R@5 +1 to +1.5 on LoCoMo).
 */

import type { ScoredWindow } from "./context.ts";
import type { VectorScorer } from "../vectors/vector_search.ts";
import { VECTORS } from "../ranking/weights.ts";

/** Maximum distance at which a memory still contributes its similarity. */
const SMOOTHING_STEPS = VECTORS.before.length;

/** Similarities of the candidates; NaN for a candidate without a vector. */
export interface Similarities {
  /** Similarities before smoothing. */
  readonly own: Float64Array;
  readonly smoothed: Float64Array;
}

/** Compares the candidates with the query, then smooths each similarity over its neighbours. */
export function smoothSimilarities(
  scorer: VectorScorer,
  { threadWindow, candidates }: ScoredWindow,
): Similarities {
  const { positions } = threadWindow;
  const { first, end } = threadWindow.windowBounds(SMOOTHING_STEPS);
  const seqs = new Float64Array(threadWindow.length);
  for (const { at } of candidates) {
    for (let other = first[at]!; other < end[at]!; other++) {
      seqs[other] = threadWindow.seqs[other]!;
    }
  }
  const similarities = scorer.similarities(seqs);
  const own = new Float64Array(candidates.length);
  const smoothed = new Float64Array(candidates.length);
  for (let index = 0; index < candidates.length; index++) {
    const { at } = candidates[index]!;
    let [sum, weights] = [own[index] = similarities[at]!, 1];
    for (let other = first[at]!; other < end[at]!; other++) {
      const step = positions[other]! - positions[at]!;
      if (step === 0 || Number.isNaN(similarities[other])) continue;
      const weight = (step < 0 ? VECTORS.before : VECTORS.after)[Math.abs(step) - 1]!;
      sum += weight * similarities[other]!;
      weights += weight;
    }
    smoothed[index] = sum / weights;
  }
  return { own, smoothed };
}
