/** Which memories of a scope new facts may have to do with: reconciliation looks at no others. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { claimsOfMemories, memoriesOfSlots } from "../memories/claims.ts";
import type { RefinedMemories } from "../memories/refined.ts";
import type { Reader } from "../store/store.ts";
import type { RefinedFact } from "./extractor.ts";
import { type ActiveMemory, contentWords, mayConsistOf } from "./reconcile.ts";
import { comparable } from "./vocabulary.ts";

/** Memories of a scope that are compared by their words; older ones only by what they claim. */
const COMPARED_MOST = 5_000;

/** A candidate, with the end of its validity as far as it is known already. */
export interface Candidate extends ActiveMemory {
  readonly valid_to: string | null;
}

/** Gives a piece of work something to read from: one view for all pieces, or a new one for each. */
export type Reading = <T>(work: (db: Reader) => Promise<T>) => Promise<T>;

/** Candidates among the memories of exactly this scope that hold at an instant, newest first. */
export async function candidatesFor(
  read: Reading,
  memories: RefinedMemories,
  project: number,
  scope: Scope,
  facts: readonly RefinedFact[],
  at: string,
): Promise<readonly Candidate[]> {
  if (facts.length === 0) return [];
  const exact = Object.fromEntries(SCOPE_KEYS.map((key) => [key, scope[key]])) as Scope;
  const slots = slotsOf(facts);
  const claiming = await read(async (db) =>
    await memories.holding(db, project, exact, at, await memoriesOfSlots(db, project, exact, slots))
  );
  const known = new Set(claiming.map(({ id }) => id));
  // What says the same as a fact, or less, has no other words; what claims the same is here already.
  const newest = await read((db) => memories.holding(db, project, exact, at, COMPARED_MOST));
  const words = new Set(facts.flatMap((fact) => [...contentWords(fact.memory)]));
  const all = [
    ...claiming,
    ...newest.filter(({ id, memory }) => !known.has(id) && mayConsistOf(words, memory)),
  ].sort((a, b) => b.seq - a.seq);
  const claims = Map.groupBy(
    await read((db) => claimsOfMemories(db, project, all.map(({ id }) => id))),
    ({ memory_id }) => memory_id,
  );
  return all.map((row) => ({
    id: row.id,
    memory: row.memory,
    memory_type: row.memory_type,
    event_date: row.event_date,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    created_at: row.created_at,
    claims: (claims.get(row.id) ?? []).map(({ subject, attribute, value, op }) => ({
      subject,
      attribute,
      value,
      op,
    })),
  }));
}

/** The slots that facts speak of, and those that they may close beside their own. */
function slotsOf(facts: readonly RefinedFact[]) {
  const slots = new Map<string, { subject_key: string; attribute: string }>();
  for (const { subject, attribute } of facts.flatMap((fact) => fact.claims)) {
    const subject_key = comparable(subject);
    // A divorce ends the marriage to whoever it was.
    for (const each of attribute === "marital_status" ? [attribute, "spouse"] : [attribute]) {
      slots.set(`${subject_key}\n${each}`, { subject_key, attribute: each });
    }
  }
  return [...slots.values()];
}
