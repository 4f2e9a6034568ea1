/** Which memories of a scope new facts may have to do with: reconciliation looks at no others. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { parseTimestamp } from "../kernel/clock.ts";
import {
  claimsOfMemories,
  memoriesOfSlots,
  type Telling,
  tellingsOf,
  toldAfter,
} from "../memories/claims.ts";
import type { RefinedMemories } from "../memories/refined.ts";
import type { Reader } from "../store/store.ts";
import type { RefinedFact } from "./extractor.ts";
import { type ActiveMemory, contentWords, mayConsistOf } from "./compared.ts";
import { comparable } from "./vocabulary.ts";

/** Memories of a scope that are compared by their words; older ones only by what they claim. */
const COMPARED_MOST = 5_000;

/** Memories whose tellings are looked up at once: a few milliseconds. */
const ASKED_AT_ONCE = 500;

/**
 * A date may be no more than a day, which begins some hours earlier or later elsewhere: what comes
 * without one is held against it only where they are further apart.
 */
const DATE_MS = 2 * 24 * 60 * 60_000;

/** Gives a piece of work something to read from: one view for all pieces, or a new one for each. */
export type Reading = <T>(work: (db: Reader) => Promise<T>) => Promise<T>;

/** When facts were told: by the date of their request, and by its place among all requests. */
export interface Told {
  readonly event_date: string | null;
  readonly requested_at: string;
  /** The number of its task: in the order of acceptance. */
  readonly seq: number;
}

/** New facts of a scope, and the instant at which memories end that they close. */
interface Asked {
  readonly project: number;
  readonly scope: Scope;
  readonly facts: readonly RefinedFact[];
  readonly at: string;
  readonly told: Told;
}

/** The instant from which on a memory has to do with facts: what ended before they were told hasn't. */
export const toldAt = ({ event_date, requested_at }: Told) => event_date ?? requested_at;

/**
 * Candidates among the memories of exactly this scope, newest first: those that hold at an instant,
 * and of those that were told after the facts also what has ended since.
 */
export async function candidatesFor(
  read: Reading,
  memories: RefinedMemories,
  { project, scope, facts, at, told }: Asked,
): Promise<readonly ActiveMemory[]> {
  if (facts.length === 0) return [];
  const exact = Object.fromEntries(SCOPE_KEYS.map((key) => [key, scope[key]])) as Scope;
  const slots = slotsOf(facts);
  const claiming = await read(async (db) =>
    await memories.holding(
      db,
      project,
      exact,
      toldAt(told),
      await memoriesOfSlots(db, project, exact, slots),
    )
  );
  const known = new Set(claiming.map(({ id }) => id));
  // What says the same as a fact, or less, has no other words; what claims the same is here already.
  const newest = await read((db) => memories.holding(db, project, exact, at, COMPARED_MOST));
  const words = new Set(facts.flatMap((fact) => [...contentWords(fact.memory)]));
  const all = [
    ...claiming,
    ...newest.filter(({ id, memory }) => !known.has(id) && mayConsistOf(words, memory)),
  ].sort((a, b) => b.seq - a.seq);
  const later = new Set<string>();
  for (let start = 0; start < all.length; start += ASKED_AT_ONCE) {
    const some = all.slice(start, start + ASKED_AT_ONCE);
    for (const id of await read((db) => toldLater(db, project, some, told))) later.add(id);
  }
  const some = all.filter(({ id, valid_to }) =>
    valid_to === null || valid_to > at || later.has(id)
  );
  const claims = Map.groupBy(
    await read((db) => claimsOfMemories(db, project, some.map(({ id }) => id))),
    ({ memory_id }) => memory_id,
  );
  return some.map((row) => ({
    id: row.id,
    memory: row.memory,
    memory_type: row.memory_type,
    event_date: row.event_date,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    created_at: row.created_at,
    updated_at: row.updated_at,
    told_later: later.has(row.id),
    claims: (claims.get(row.id) ?? []).map(({ subject, attribute, value, op }) => ({
      subject,
      attribute,
      value,
      op,
    })),
  }));
}

/** The ids of those memories that were told after a request, for the first time or again. */
export async function toldLater(
  db: Reader,
  project: number,
  rows: readonly Pick<ActiveMemory, "id" | "event_date" | "updated_at">[],
  told: Told,
): Promise<ReadonlySet<string>> {
  // Without a date only what was told since, or has a date to come, may be later: nearly nothing.
  const since = told.event_date === null ? await toldAfter(db, project, told.seq) : null;
  const asked = rows.filter(({ id, event_date, updated_at }) =>
    since === null || since.has(id) || updated_at >= told.requested_at ||
    event_date !== null && event_date > told.requested_at
  );
  const tellings = await tellingsOf(db, project, asked.map(({ id }) => id));
  return new Set(
    tellings.filter((telling) => isLater(telling, told)).map(({ memory_id }) => memory_id),
  );
}

/**
 * Whether something was told after a request: by the dates of both, where they differ, else by when
 * they were accepted. What has no date was told on the day on which it was accepted.
 */
function isLater({ task, event_date, accepted_at }: Telling, told: Told): boolean {
  const [theirs, ours] = [event_date ?? accepted_at, toldAt(told)];
  const apart = Math.abs(parseTimestamp(theirs)! - parseTimestamp(ours)!);
  const dates = [event_date, told.event_date].filter((date) => date !== null);
  if (dates.length === 2 && apart > 0 || dates.length === 1 && apart > DATE_MS) {
    return theirs > ours;
  }
  return task === null ? accepted_at > told.requested_at : task > told.seq;
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
