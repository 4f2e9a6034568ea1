/** The claims that views are made of, each with the end that it has itself. */

import type { Scope } from "../contract/fields.ts";
import { comparable, isSameValue, isSingleValued } from "../inference/vocabulary.ts";
import { claimsInScope, type ClaimWithMemory, type MemoryClaim } from "../memories/claims.ts";
import type { Reader } from "../store/store.ts";

const slotKey = ({ subject_key, attribute }: ClaimWithMemory) => `${subject_key}\n${attribute}`;

/** The claims of a scope's memories, in the order of writing: all, or those about one slot. */
export async function claimsWithValidity(
  db: Reader,
  project: number,
  scope: Scope,
  slot?: Pick<MemoryClaim, "subject_key" | "attribute">,
): Promise<readonly ClaimWithMemory[]> {
  return withOwnValidity(await claimsInScope(db, project, scope, slot));
}

/**
 * "User speaks Dutch and Greek" is invalidated by "User no longer speaks Greek", and Dutch goes on:
 * it ends as the memory would have.
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
    return ended === undefined || ended.some((one) => isSameValue(comparable(one.value), value))
      ? claim
      : { ...claim, valid_to: valid_to_before };
  });
}
