/**
 * Similarities of candidates with a share of those around them: what a conversation is about shows
 * in several turns (R@5 +1 to +1.5 on LoCoMo).
 */

import type { InContext } from "./context.ts";
import type { Comparison } from "./vector_list.ts";
import { VECTORS } from "./weights.ts";

/** How far away a memory still lends its similarity. */
const REACH = VECTORS.before.length;

/** Similarities of candidates; NaN for one without a vector. */
export interface Similarities {
  /** Each by itself. */
  readonly own: Float64Array;
  readonly smoothed: Float64Array;
}

/** Compares the candidates with the query, and lends each a share of what stands next to it. */
export function similaritiesOf(
  comparison: Comparison,
  { places, candidates }: InContext,
): Similarities {
  const { positions } = places;
  const { first, end } = places.windows(REACH);
  const wanted = new Float64Array(places.length);
  for (const { at } of candidates) {
    for (let other = first[at]!; other < end[at]!; other++) wanted[other] = places.seqs[other]!;
  }
  const known = comparison.similarities(wanted);
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
