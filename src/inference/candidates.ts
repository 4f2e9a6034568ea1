/**
 * Selects the memories in a scope that new facts can affect. Reconciliation only compares facts
 * with these.
 */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { parseTimestamp } from "../kernel/clock.ts";
import { newestFirst } from "../kernel/newest_first.ts";
import { claimsOfMemories, memoriesOfSlots } from "../memories/claims/claims.ts";
import type { InferredMemories } from "../memories/claims/inferred.ts";
import {
  type Observation,
  observationsOf,
  observedAfter,
} from "../memories/claims/observations.ts";
import type { Reader } from "../store/store.ts";
import type { ExtractedFact } from "./extractor.ts";
import { type ActiveMemory, contentWords, mayConsistOf } from "./comparison.ts";
import { comparable } from "./vocabulary.ts";

/** Maximum number of memories compared by words. Older ones are only compared by claims. */
const MAX_COMPARED_MEMORIES = 5_000;

/** Number of memories to read observations for in one go. Takes a few milliseconds. */
const OBSERVATION_BATCH_MEMORIES = 500;

/**
 * Tolerance when comparing a date with the time of a request. Dates are often only accurate to the
 * day, and days begin several hours earlier or later in other time zones.
 */
const DATE_TOLERANCE_MS = 2 * 24 * 60 * 60_000;

/** Runs a function with a reader, either a shared one or a new one each time. */
export type RunRead = <T>(work: (db: Reader) => Promise<T>) => Promise<T>;

/**
 * When facts were stated: the date given with the request, and where the request falls in the order
 * of acceptance.
 */
export interface ObservationTime {
  readonly event_date: string | null;
  readonly requested_at: string;
  /** Sequence number of the task, assigned in the order tasks are accepted. */
  readonly seq: number;
}

/** New facts for a scope. `at` is the instant at which they end existing memories. */
interface CandidateRequest {
  readonly project: number;
  readonly scope: Scope;
  readonly facts: readonly ExtractedFact[];
  readonly at: string;
  readonly observed: ObservationTime;
}

/**
 * Returns the earliest instant relevant to a set of facts. Memories that ended before the facts
 * were stated can't be affected.
 */
export const observedAt = ({ event_date, requested_at }: ObservationTime) =>
  event_date ?? requested_at;

/**
 * Returns memories in exactly this scope that facts can affect, newest first: those active at `at`,
 * and those stated after the facts even if they've ended since.
 */
export async function candidatesFor(
  read: RunRead,
  memories: InferredMemories,
  { project, scope, facts, at, observed }: CandidateRequest,
): Promise<readonly ActiveMemory[]> {
  if (facts.length === 0) return [];
  const exact = Object.fromEntries(SCOPE_KEYS.map((key) => [key, scope[key]])) as Scope;
  const slots = slotsOf(facts);
  const claimants = await read(async (db) =>
    await memories.findActive(
      db,
      project,
      exact,
      observedAt(observed),
      await memoriesOfSlots(db, project, exact, slots),
    )
  );
  const claimantIds = new Set(claimants.map(({ id }) => id));
  // A memory that says the same as a fact, or less, only contains words from the facts. Memories
  // with the same claims are already included.
  const newest = await read((db) =>
    memories.findActive(db, project, exact, at, MAX_COMPARED_MEMORIES)
  );
  const words = new Set(facts.flatMap((fact) => [...contentWords(fact.memory)]));
  const all = [
    ...claimants,
    ...newest.filter(({ id, memory }) => !claimantIds.has(id) && mayConsistOf(words, memory)),
  ].sort(newestFirst);
  const later = new Set<string>();
  for (let start = 0; start < all.length; start += OBSERVATION_BATCH_MEMORIES) {
    const batch = all.slice(start, start + OBSERVATION_BATCH_MEMORIES);
    for (const id of await read((db) => observedLater(db, project, batch, observed))) later.add(id);
  }
  const selected = all.filter(({ id, valid_to }) =>
    valid_to === null || valid_to > at || later.has(id)
  );
  const claims = Map.groupBy(
    await read((db) => claimsOfMemories(db, project, selected.map(({ id }) => id))),
    ({ memory_id }) => memory_id,
  );
  return selected.map((row) => ({
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

/** Returns the ids of memories stated or repeated after a request. */
export async function observedLater(
  db: Reader,
  project: number,
  rows: readonly Pick<ActiveMemory, "id" | "event_date" | "updated_at">[],
  observed: ObservationTime,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  // Without a request date, only memories stated since then or with a later date can match. There
  // are very few of them, so this avoids reading all observations.
  const since = observed.event_date === null
    ? await observedAfter(db, project, rows.map(({ id }) => id), observed.seq)
    : null;
  const possible = rows.filter(({ id, event_date, updated_at }) =>
    since === null || since.has(id) || updated_at >= observed.requested_at ||
    event_date !== null && event_date > observed.requested_at
  );
  const observations = await observationsOf(db, project, possible.map(({ id }) => id));
  return new Set(
    observations.filter((observation) => isLater(observation, observed)).map(({ memory_id }) =>
      memory_id
    ),
  );
}

/**
 * Checks whether a statement is later than a request. If both have dates and these differ, the
 * dates decide. If only one does, it's compared with the other one's date of acceptance, and it
 * only decides if the two are more than two days apart. Otherwise, the order of acceptance decides.
 * An update corrects the text as of the date on which it was first stated, so its own date never
 * decides.
 */
function isLater(
  { task, event, event_date, accepted_at }: Observation,
  observed: ObservationTime,
): boolean {
  const [date, requestDate] = [event_date ?? accepted_at, observedAt(observed)];
  const distance = Math.abs(parseTimestamp(date)! - parseTimestamp(requestDate)!);
  const dated = [event_date, observed.event_date].filter((value) => value !== null).length;
  if (dated === 2 && distance > 0 || dated === 1 && distance > DATE_TOLERANCE_MS) {
    return event !== "UPDATE" && date > requestDate;
  }
  return task === null ? accepted_at > observed.requested_at : task > observed.seq;
}

/** Returns the slots the facts' claims belong to, plus any others these claims can close. */
function slotsOf(facts: readonly ExtractedFact[]) {
  const slots = new Map<string, { subject_key: string; attribute: string }>();
  for (const { subject, attribute } of facts.flatMap((fact) => fact.claims)) {
    const subject_key = comparable(subject);
    // A divorce also ends the marriage to any spouse, and can be reported before the wedding.
    const isMarriage = attribute === "marital_status" || attribute === "spouse";
    for (const name of isMarriage ? ["marital_status", "spouse"] : [attribute]) {
      slots.set(`${subject_key}\n${name}`, { subject_key, attribute: name });
    }
  }
  return [...slots.values()];
}
