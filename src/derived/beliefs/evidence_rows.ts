/** Converts claims to evidence rows, with source, context and validity. */

import { sha256 } from "../../kernel/hash.ts";
import { derivedId } from "../../kernel/ids.ts";
import type { ClaimWithMemory } from "../../memories/claims/claims.ts";
import type { Evidence } from "./evidence.ts";

/** Weight of every memory. Clients can't change it. */
const WEIGHT = 1;

/**
 * Returns the evidence for one slot. A memory's evidence key is the hash of its text, so repeated
 * texts count once. The context is the run, otherwise the inference task, otherwise the memory
 * itself.
 */
export function evidenceRows(
  claims: readonly ClaimWithMemory[],
  comparable: (value: string) => string,
): readonly Evidence[] {
  const ends = Map.groupBy(
    claims.filter(({ op }) => op === "end"),
    (claim) => comparable(claim.value),
  );
  const endOf = (claim: ClaimWithMemory) =>
    claim.valid_from ?? claim.event_date ?? claim.valid_to ?? claim.created_at;
  return claims.filter(({ op }) => op === "assert").map((claim): Evidence => {
    const value = comparable(claim.value);
    const observed_at = claim.event_date ?? claim.created_at;
    const start = claim.valid_from ?? observed_at;
    const possibleEnds = [
      ...(claim.valid_to === null ? [] : [claim.valid_to]),
      ...(ends.get(value) ?? []).map(endOf).filter((at) => at >= start),
    ].sort();
    return {
      id: derivedId("belief_ev", JSON.stringify([claim.memory_id, claim.attribute, value])),
      source_id: claim.memory_id,
      value: claim.value,
      evidence_key: sha256(comparable(claim.memory)),
      context_id: claim.run_id ?? claim.operation_id ?? claim.memory_id,
      applicability: { kind: "global", key: null },
      observed_at,
      valid_from: claim.valid_from,
      valid_to: possibleEnds[0] ?? null,
      weight: WEIGHT,
      active: true,
    };
  });
}
