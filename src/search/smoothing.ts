/**
 * Similarities of candidates with a share of those around them: what a conversation is about shows
 * in several turns (R@5 +1 to +1.5 on LoCoMo).
 */

import type { Candidate } from "./context.ts";
import type { Comparison } from "./vector_list.ts";
import { VECTORS } from "./weights.ts";

/** Similarities by the numbers of the candidates; those without a vector are left out. */
export function smoothed(
  comparison: Comparison,
  candidates: readonly Candidate[],
): Map<number, number> {
  const wanted: number[] = [];
  for (const { seq, around } of candidates) {
    wanted.push(seq);
    for (const beside of around) wanted.push(beside.seq);
  }
  const known = comparison.similarities([...new Set(wanted)]);
  const result = new Map<number, number>();
  for (const { seq, around } of candidates) {
    const own = known.get(seq);
    if (own === undefined) continue;
    let [sum, weights] = [own, 1];
    for (const { seq: other, step } of around) {
      const similarity = known.get(other);
      if (similarity === undefined) continue;
      const shares = step < 0 ? VECTORS.before : VECTORS.after;
      const weight = shares[Math.abs(step) - 1] ?? 0;
      sum += weight * similarity;
      weights += weight;
    }
    result.set(seq, sum / weights);
  }
  return result;
}
