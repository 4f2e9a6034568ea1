/** Claims that go on though the memory that makes them was invalidated for another of its claims. */

import { comparable, isSingleValued, sameThing } from "../inference/vocabulary.ts";
import type { SupportedClaim } from "../memories/claims.ts";

const slotOf = ({ subject_key, attribute }: SupportedClaim) => `${subject_key}\n${attribute}`;

/**
 * The claims with the ends that they have themselves: "User speaks Dutch and Greek" is invalidated by
 * "User no longer speaks Greek", and Dutch goes on.
 */
export function heldOn(claims: readonly SupportedClaim[]): readonly SupportedClaim[] {
  const ends = Map.groupBy(
    claims.filter(({ op }) => op === "end"),
    (claim) => `${claim.memory_id}\n${slotOf(claim)}`,
  );
  if (ends.size === 0) return claims;
  return claims.map((claim) => {
    const { op, attribute, ended_by, valid_to_before } = claim;
    if (op === "end" || ended_by === null || isSingleValued(attribute)) return claim;
    const ended = ends.get(`${ended_by}\n${slotOf(claim)}`);
    const value = comparable(claim.value);
    return ended === undefined || ended.some((one) => sameThing(comparable(one.value), value))
      ? claim
      : { ...claim, valid_to: valid_to_before };
  });
}
