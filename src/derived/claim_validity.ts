/** Loads claims for the views, with each claim's own validity rather than its memory's. */

import type { Scope } from "../contract/fields.ts";
import { comparable, ENDS_MARRIAGE, isSameValue, isSingleValued } from "../inference/vocabulary.ts";
import { claimsOfSlot, type ClaimWithMemory, type MemoryClaim } from "../memories/claims/claims.ts";
import type { Reader } from "../store/store.ts";

const slotKey = ({ subject_key, attribute }: ClaimWithMemory) => `${subject_key}\n${attribute}`;

/** Returns all claims of a scope, oldest memory first, with their validity. */
export function withValidity(claims: readonly ClaimWithMemory[]): readonly ClaimWithMemory[] {
  const own = withOwnValidity(claims);
  return withEndedMarriages(own, own);
}

/** Reads a slot's claims in a scope, oldest memory first. */
export async function slotClaimsWithValidity(
  db: Reader,
  project: number,
  scope: Scope,
  slot: Pick<MemoryClaim, "subject_key" | "attribute">,
): Promise<readonly ClaimWithMemory[]> {
  const claims = withOwnValidity(await claimsOfSlot(db, project, scope, slot));
  if (slot.attribute !== "spouse") return claims;
  const statuses = await claimsOfSlot(db, project, scope, {
    ...slot,
    attribute: "marital_status",
  });
  return withEndedMarriages(claims, statuses);
}

const startOf = ({ valid_from, event_date, created_at }: ClaimWithMemory) =>
  valid_from ?? event_date ?? created_at;

/** Adds the ends of marriages: "We got divorced" ends the marriage without naming the spouse. */
function withEndedMarriages(
  claims: readonly ClaimWithMemory[],
  statuses: readonly ClaimWithMemory[],
): readonly ClaimWithMemory[] {
  const spouses = claims.filter(({ attribute, op }) => attribute === "spouse" && op === "assert");
  const ends = statuses.filter(({ attribute, op, value }) =>
    attribute === "marital_status" && op === "assert" && ENDS_MARRIAGE.test(comparable(value))
  ).flatMap((status) => {
    const earlier = spouses.filter((spouse) =>
      spouse.subject_key === status.subject_key && startOf(spouse) <= startOf(status)
    );
    return [...new Set(earlier.map(({ value }) => value))].map((value): ClaimWithMemory => ({
      ...status,
      attribute: "spouse",
      value,
      op: "end",
    }));
  });
  return ends.length === 0 ? claims : [...claims, ...ends];
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
