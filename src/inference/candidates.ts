/** Which memories of a scope new facts may have to do with: reconciliation looks at no others. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { claimsOfMemories, memoriesOfSlots, tellingsOf } from "../memories/claims.ts";
import type { RefinedMemories } from "../memories/refined.ts";
import type { Reader } from "../store/store.ts";
import type { RefinedFact } from "./extractor.ts";
import { type ActiveMemory, contentWords, mayConsistOf, startOf } from "./compared.ts";
import { comparable } from "./vocabulary.ts";

/** Memories of a scope that are compared by their words; older ones only by what they claim. */
const COMPARED_MOST = 5_000;

/** A candidate, with the end of its validity as far as it is known already. */
export interface Candidate extends ActiveMemory {
  readonly valid_to: string | null;
}

/** Gives a piece of work something to read from: one view for all pieces, or a new one for each. */
export type Reading = <T>(work: (db: Reader) => Promise<T>) => Promise<T>;

/** When facts were told: by the date of their request, and by its place among all requests. */
interface Told {
  readonly event_date: string | null;
  readonly requested_at: string;
  /** The number of its task: in the order of acceptance. */
  readonly seq: number;
}

/** New facts of a scope, and the instant for which memories are asked. */
interface Asked {
  readonly project: number;
  readonly scope: Scope;
  readonly facts: readonly RefinedFact[];
  readonly at: string;
  readonly told: Told;
}

/** Candidates among the memories of exactly this scope that hold at an instant, newest first. */
export async function candidatesFor(
  read: Reading,
  memories: RefinedMemories,
  { project, scope, facts, at, told }: Asked,
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
  const later = await read((db) => toldLater(db, project, all, told));
  return all.map((row) => ({
    id: row.id,
    memory: row.memory,
    memory_type: row.memory_type,
    event_date: row.event_date,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    created_at: row.created_at,
    told_later: later.has(row.id),
    claims: (claims.get(row.id) ?? []).map(({ subject, attribute, value, op }) => ({
      subject,
      attribute,
      value,
      op,
    })),
  }));
}

/**
 * The ids of those memories that were told after a request: by the dates of both, when both have one
 * and they differ, else by when they were accepted, whenever they have been written.
 */
async function toldLater(
  db: Reader,
  project: number,
  rows: Awaited<ReturnType<RefinedMemories["holding"]>>,
  { event_date: date, requested_at: at, seq }: Told,
): Promise<ReadonlySet<string>> {
  // What was told later was written later, or has a later date.
  const asked = rows.filter((row) =>
    row.updated_at >= at || date !== null && startOf(row, "") > date
  );
  const tellings = Map.groupBy(
    await tellingsOf(db, project, asked.map(({ id }) => id)),
    ({ memory_id }) => memory_id,
  );
  return new Set(
    asked.filter((row) => {
      const told = tellings.get(row.id) ?? [];
      // What inference found may have a start of its own, and a date that goes with it.
      const isDated = row.valid_from === null || told.at(-1)?.task === null;
      if (date !== null && isDated && row.event_date !== null && row.event_date !== date) {
        return row.event_date > date;
      }
      return told.some(({ task, written_at }) => task === null ? written_at > at : task > seq);
    }).map(({ id }) => id),
  );
}

/** The slots that facts speak of, and those that they may close beside their own. */
function slotsOf(facts: readonly RefinedFact[]) {
  const slots = new Map<string, { subject_key: string; attribute: string }>();
  for (const { subject, attribute } of facts.flatMap((fact) => fact.claims)) {
    const subject_key = comparable(subject);
    // A divorce ends the marriage to whoever it was, and may have been told before the wedding is.
    const isMarriage = attribute === "marital_status" || attribute === "spouse";
    for (const each of isMarriage ? ["marital_status", "spouse"] : [attribute]) {
      slots.set(`${subject_key}\n${each}`, { subject_key, attribute: each });
    }
  }
  return [...slots.values()];
}
