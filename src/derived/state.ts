/**
 * Computes state over time, i.e. which value a subject's attribute had when, from the claims made
 * by memories.
 */

import { compareStrings } from "./beliefs/evidence.ts";

/** A single claim with the dates of its memory. */
export interface StateClaim {
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly op: "assert" | "end";
  readonly source_id: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly event_date: string | null;
  readonly created_at: string;
}

/** A state record, as in the API. */
export interface StateRecord {
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly superseded_by: string | null;
  readonly source_ids: readonly string[];
}

/** Rules for one slot, on top of its claims. */
export interface StateRules {
  /** Whether a new value supersedes the old one. */
  readonly single: boolean;
  /** Returns the normalized form of a value, for comparison. */
  readonly comparable: (value: string) => string;
  /** Returns a stable record id for a slot, a value and a start of validity. */
  readonly identify: (parts: readonly string[]) => string;
}

interface Span {
  readonly key: string;
  readonly value: string;
  readonly from: string | null;
  to: string | null;
  next: Span | null;
  readonly sources: string[];
}

const startOf = (claim: StateClaim) => claim.valid_from ?? claim.event_date ?? claim.created_at;
const earlier = (a: string | null, b: string | null) =>
  a === null ? b : b === null ? a : a < b ? a : b;
const later = (a: string | null, b: string | null) =>
  a === null || b === null ? null : a > b ? a : b;

/** Returns claims sorted by start of validity, then time of writing, then source id. */
function sortClaims(claims: readonly StateClaim[]): StateClaim[] {
  return claims
    .map((claim) => ({
      claim,
      sortKey: [startOf(claim), claim.created_at, claim.source_id].join("\n"),
    }))
    .sort((a, b) => compareStrings(a.sortKey, b.sortKey))
    .map(({ claim }) => claim);
}

/** A slot's spans in creation order, also indexed by value. */
class Spans {
  readonly all: Span[] = [];
  readonly #byKey = new Map<string, Span[]>();

  add(span: Span): void {
    this.all.push(span);
    this.of(span.key).push(span);
  }

  of(key: string): Span[] {
    const known = this.#byKey.get(key) ?? [];
    this.#byKey.set(key, known);
    return known;
  }
}

/**
 * Applies an `end` claim by closing the span with that value at that time. If there isn't one, adds
 * a closed span as history.
 */
function closeSpan(spans: Spans, claim: StateClaim, rules: StateRules): void {
  // The claim was contradicted from the start, i.e. never valid.
  if (claim.valid_from !== null && claim.valid_to !== null && claim.valid_to <= claim.valid_from) {
    return;
  }
  const at = claim.valid_from ?? claim.event_date ?? claim.valid_to ?? claim.created_at;
  const key = rules.comparable(claim.value);
  const known = spans.of(key);
  const open = known.find((span) =>
    (span.to === null || span.to > at) && (span.from === null || span.from <= at)
  );
  if (open) {
    open.to = at;
    open.sources.push(claim.source_id);
  } else if (!known.length) {
    spans.add({
      key,
      value: claim.value,
      from: null,
      to: at,
      next: null,
      sources: [claim.source_id],
    });
  }
}

/** Applies an assertion by extending the span it touches or adding a new one. */
function openSpan(spans: Spans, claim: StateClaim, rules: StateRules): void {
  const [key, from] = [rules.comparable(claim.value), startOf(claim)];
  const previous = rules.single
    ? spans.all.findLast((span) => span.next === null && span.from !== null)
    : spans.of(key).at(-1);
  if (previous && previous.key === key && (previous.to === null || previous.to >= from)) {
    previous.to = later(previous.to, claim.valid_to);
    previous.sources.push(claim.source_id);
    return;
  }
  // The start of a past value ("I lived in Rome until 2020") is unknown.
  const isPast = claim.valid_from === null && claim.valid_to !== null && claim.valid_to < from;
  const span: Span = {
    key,
    value: claim.value,
    from: isPast ? null : from,
    to: claim.valid_to,
    next: null,
    sources: [claim.source_id],
  };
  if (rules.single) {
    const endsBefore = claim.valid_to !== null && previous !== undefined && previous.to === null &&
      claim.valid_to <= from;
    if (previous && !endsBefore) {
      previous.to = earlier(previous.to, from);
      previous.next = span;
    }
  }
  spans.add(span);
}

/**
 * Returns all of a slot's records, oldest first. Adjacent assertions of the same value are merged
 * into one record with all of their sources. In a single-valued slot, a later value closes and
 * supersedes the earlier one.
 */
export function stateHistory(
  claims: readonly StateClaim[],
  rules: StateRules,
): readonly StateRecord[] {
  const spans = new Spans();
  for (const claim of sortClaims(claims)) {
    if (claim.op === "end") closeSpan(spans, claim, rules);
    else openSpan(spans, claim, rules);
  }
  const [first] = claims;
  if (!first) return [];
  const id = (span: Span) =>
    rules.identify([first.subject, first.attribute, span.key, span.from ?? ""]);
  return spans.all
    .map((span): StateRecord => ({
      id: id(span),
      subject: first.subject,
      attribute: first.attribute,
      value: span.value,
      valid_from: span.from,
      valid_to: span.to,
      superseded_by: span.next ? id(span.next) : null,
      source_ids: [...new Set(span.sources)],
    }))
    .sort((a, b) => compareStrings(a.valid_from ?? "", b.valid_from ?? ""));
}

/** Checks whether a record is valid at an instant. The start is inclusive, the end exclusive. */
export function isValidAt(record: StateRecord, at: string): boolean {
  return (record.valid_from === null ? record.valid_to === null : record.valid_from <= at) &&
    (record.valid_to === null || record.valid_to > at);
}

/** Returns the latest record valid at an instant, or null if there isn't one. */
export function stateAt(history: readonly StateRecord[], at: string): StateRecord | null {
  return history.filter((record) => isValidAt(record, at)).at(-1) ?? null;
}
