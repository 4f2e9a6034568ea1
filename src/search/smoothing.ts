/**
 * Similarities of candidates with a share of those around them: what a conversation is about shows
 * in several turns (R@5 +1 to +1.5 on LoCoMo).
 */

import type { Candidate } from "./context.ts";
import type { Places } from "./place.ts";
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

export function similaritiesOf(
  comparison: Comparison,
  places: Places,
  candidates: readonly Candidate[],
): Similarities {
  const { positions } = places;
  const { first, end } = places.windows(REACH);
  const wanted = new Float64Array(places.length);
  for (const { at } of candidates) {
    for (let other = first[at]!; other < end[at]!; other++) wanted[other] = places.seqs[other]!;
  }
  const known = comparison.similarities(wanted);
  const own = Float64Array.from(candidates, ({ at }) => known[at]!);
  const smoothed = Float64Array.from(candidates, ({ at }) => {
    let [sum, weights] = [known[at]!, 1];
    for (let other = first[at]!; other < end[at]!; other++) {
      const step = positions[other]! - positions[at]!;
      if (step === 0 || Number.isNaN(known[other])) continue;
      const weight = (step < 0 ? VECTORS.before : VECTORS.after)[Math.abs(step) - 1]!;
      sum += weight * known[other]!;
      weights += weight;
    }
    return sum / weights;
  });
  return { own, smoothed };
}
