/** Which memories of a scope new facts may have to do with: reconciliation looks at no others. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { parseTimestamp } from "../kernel/clock.ts";
import {
  claimsOfMemories,
  memoriesOfSlots,
  type Observation,
  observationsOf,
  observedAfter,
} from "../memories/claims.ts";
import type { InferredMemories } from "../memories/inferred.ts";
import type { Reader } from "../store/store.ts";
import type { ExtractedFact } from "./extractor.ts";
import { type ActiveMemory, contentWords, mayConsistOf } from "./comparison.ts";
import { comparable } from "./vocabulary.ts";

/** Memories of a scope that are compared by their words; older ones only by what they claim. */
const MAX_COMPARED_MEMORIES = 5_000;

/** Memories whose tellings are looked up at once: a few milliseconds. */
const OBSERVATION_BATCH_MEMORIES = 500;

/**
 * A date may be no more than a day, which begins some hours earlier or later elsewhere: what comes
 * without one is held against it only where they are further apart.
 */
const DATE_TOLERANCE_MS = 2 * 24 * 60 * 60_000;

/** Gives a piece of work something to read from: one view for all pieces, or a new one for each. */
export type RunRead = <T>(work: (db: Reader) => Promise<T>) => Promise<T>;

/** When facts were told: by the date of their request, and by its place among all requests. */
export interface ObservationTime {
  readonly event_date: string | null;
  readonly requested_at: string;
  /** The number of its task: in the order of acceptance. */
  readonly seq: number;
}

/** New facts of a scope, and the instant at which memories end that they close. */
interface CandidateRequest {
  readonly project: number;
  readonly scope: Scope;
  readonly facts: readonly ExtractedFact[];
  readonly at: string;
  readonly observed: ObservationTime;
}

/** The instant from which on a memory has to do with facts: what ended before they were told hasn't. */
export const observedAt = ({ event_date, requested_at }: ObservationTime) =>
  event_date ?? requested_at;

/**
 * Candidates among the memories of exactly this scope, newest first: those that hold at an instant,
 * and of those that were told after the facts also what has ended since.
 */
export async function candidatesFor(
  read: RunRead,
  memories: InferredMemories,
  { project, scope, facts, at, observed }: CandidateRequest,
): Promise<readonly ActiveMemory[]> {
  if (facts.length === 0) return [];
  const exact = Object.fromEntries(SCOPE_KEYS.map((key) => [key, scope[key]])) as Scope;
  const slots = slotsOf(facts);
  const claiming = await read(async (db) =>
    await memories.findActive(
      db,
      project,
      exact,
      observedAt(observed),
      await memoriesOfSlots(db, project, exact, slots),
    )
  );
  const known = new Set(claiming.map(({ id }) => id));
  // What says the same as a fact, or less, has no other words; what claims the same is here already.
  const newest = await read((db) =>
    memories.findActive(db, project, exact, at, MAX_COMPARED_MEMORIES)
  );
  const words = new Set(facts.flatMap((fact) => [...contentWords(fact.memory)]));
  const all = [
    ...claiming,
    ...newest.filter(({ id, memory }) => !known.has(id) && mayConsistOf(words, memory)),
  ].sort((a, b) => b.seq - a.seq);
  const later = new Set<string>();
  for (let start = 0; start < all.length; start += OBSERVATION_BATCH_MEMORIES) {
    const some = all.slice(start, start + OBSERVATION_BATCH_MEMORIES);
    for (const id of await read((db) => observedLater(db, project, some, observed))) later.add(id);
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
    observed_later: later.has(row.id),
    claims: (claims.get(row.id) ?? []).map(({ subject, attribute, value, op }) => ({
      subject,
      attribute,
      value,
      op,
    })),
  }));
}

/** The ids of those memories that were told after a request, for the first time or again. */
export async function observedLater(
  db: Reader,
  project: number,
  rows: readonly Pick<ActiveMemory, "id" | "event_date" | "updated_at">[],
  observed: ObservationTime,
): Promise<ReadonlySet<string>> {
  // Without a date only what was told since, or has a date to come, may be later: nearly nothing.
  const since = observed.event_date === null
    ? await observedAfter(db, project, observed.seq)
    : null;
  const possible = rows.filter(({ id, event_date, updated_at }) =>
    since === null || since.has(id) || updated_at >= observed.requested_at ||
    event_date !== null && event_date > observed.requested_at
  );
  const observations = await observationsOf(db, project, possible.map(({ id }) => id));
  return new Set(
    observations.filter((telling) => isLater(telling, observed)).map(({ memory_id }) => memory_id),
  );
}

/**
 * Whether something was told after a request: by the dates of both, where they differ, else by when
 * they were accepted. What has no date was told on the day on which it was accepted.
 */
function isLater(
  { task, event_date, accepted_at }: Observation,
  observed: ObservationTime,
): boolean {
  const [theirs, ours] = [event_date ?? accepted_at, observedAt(observed)];
  const apart = Math.abs(parseTimestamp(theirs)! - parseTimestamp(ours)!);
  const dates = [event_date, observed.event_date].filter((date) => date !== null);
  if (dates.length === 2 && apart > 0 || dates.length === 1 && apart > DATE_TOLERANCE_MS) {
    return theirs > ours;
  }
  return task === null ? accepted_at > observed.requested_at : task > observed.seq;
}

/** The slots that facts speak of, and those that they may close beside their own. */
function slotsOf(facts: readonly ExtractedFact[]) {
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
