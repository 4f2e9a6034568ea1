/** Loads claims for the views, with each claim's own validity rather than its memory's. */

import type { Scope } from "../contract/fields.ts";
import { comparable, isSameValue, isSingleValued } from "../inference/vocabulary.ts";
import { claimsInScope, type ClaimWithMemory, type MemoryClaim } from "../memories/claims.ts";
import type { Reader } from "../store/store.ts";

const slotKey = ({ subject_key, attribute }: ClaimWithMemory) => `${subject_key}\n${attribute}`;

/**
 * Returns the claims from a scope's memories in the order they were written, either all of them or
 * just one slot's.
 */
export async function claimsWithValidity(
  db: Reader,
  project: number,
  scope: Scope,
  slot?: Pick<MemoryClaim, "subject_key" | "attribute">,
): Promise<readonly ClaimWithMemory[]> {
  return withOwnValidity(await claimsInScope(db, project, scope, slot));
}

/**
 * Restores the validity of claims that didn't end themselves. "User no longer speaks Greek"
 * invalidates the memory "User speaks Dutch and Greek", but the claim about Dutch keeps the
 * memory's previous `valid_to`.
 */
function withOwnValidity(claims: readonly ClaimWithMemory[]): readonly ClaimWithMemory[] {
  const ends = Map.groupBy(
    claims.filter(({ op }) => op === "end"),
    (claim) => `${claim.memory_id}\n${slotKey(claim)}`,
  );
  if (ends.size === 0) return claims;
  return claims.map((claim) => {
    const { op, attribute, ended_by, valid_to_before } = claim;
    if (op === "end" || ended_by === null || isSingleValued(attribute)) return claim;
    const ended = ends.get(`${ended_by}\n${slotKey(claim)}`);
    const value = comparable(claim.value);
    return ended === undefined || ended.some((end) => isSameValue(comparable(end.value), value))
      ? claim
      : { ...claim, valid_to: valid_to_before };
  });
}
