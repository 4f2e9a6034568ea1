/** Merges what several sentences of one request say about the same thing. */
import type { ExtractedFact } from "../extractor.ts";
import { claimKey, comparable, isSingleValued, slotKey } from "../vocabulary.ts";

/** Attributes that exclude each other for the same value. */
const OPPOSITE: Readonly<Record<string, string>> = { likes: "dislikes", dislikes: "likes" };

/** Merges facts that one request states twice. Of two values of a slot, the later one is kept. */
export function mergeFacts(facts: readonly ExtractedFact[]): readonly ExtractedFact[] {
  const texts = new Set<string>(), last = new Map<string, string>(), seen = new Set<string>();
  const tastes = new Map<string, number>();
  facts.forEach((fact, at) => {
    for (const claim of fact.claims) {
      if (claim.op === "end") continue;
      if (isSingleValued(claim.attribute)) last.set(slotKey(claim), comparable(claim.value));
      if (OPPOSITE[claim.attribute] !== undefined) tastes.set(claimKey(claim), at);
    }
  });
  return facts.flatMap((fact, at): ExtractedFact[] => {
    if (texts.has(comparable(fact.memory))) return [];
    texts.add(comparable(fact.memory));
    const claims = fact.claims.filter((claim) => {
      const key = `${claimKey(claim)}\n${claim.op}`;
      if (seen.has(key)) return false;
      seen.add(key);
      if (claim.op === "end") return true;
      if (isSingleValued(claim.attribute)) {
        return last.get(slotKey(claim)) === comparable(claim.value);
      }
      const opposite = OPPOSITE[claim.attribute];
      return opposite === undefined ||
        (tastes.get(claimKey({ ...claim, attribute: opposite })) ?? -1) <= at;
    });
    return [{ ...fact, claims }];
  });
}
