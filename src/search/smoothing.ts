/**
 * Similarities of candidates with a share of those around them: what a conversation is about shows
 * in several turns (R@5 +1 to +1.5 on LoCoMo).
 */

import { type Candidate, firstWithin, isWithin } from "./context.ts";
import type { Place } from "./place.ts";
import type { Comparison } from "./vector_list.ts";
import { VECTORS } from "./weights.ts";

/** How far away a memory still lends its similarity. */
const REACH = VECTORS.before.length;

/** The similarity of each candidate; NaN for one without a vector. */
export function smoothed(
  comparison: Comparison,
  places: readonly Place[],
  candidates: readonly Candidate[],
): Float64Array {
  const numbers = new Float64Array(places.length);
  for (const { at } of candidates) {
    const first = firstWithin(places, at, REACH);
    for (let other = first; isWithin(places, at, other, REACH); other++) {
      numbers[other] = places[other]!.seq;
    }
  }
  const known = comparison.similarities(numbers);
  return Float64Array.from(candidates, ({ at }) => {
    let [sum, weights] = [known[at]!, 1];
    const first = firstWithin(places, at, REACH);
    for (let other = first; isWithin(places, at, other, REACH); other++) {
      const step = places[other]!.position - places[at]!.position;
      if (step === 0 || Number.isNaN(known[other])) continue;
      const weight = (step < 0 ? VECTORS.before : VECTORS.after)[Math.abs(step) - 1]!;
      sum += weight * known[other]!;
      weights += weight;
    }
    return sum / weights;
  });
}
