/** State over time: which value each attribute of a subject had when, from the claims of memories. */

import { compareStrings } from "./beliefs/evidence.ts";

/** One claim of one canonical memory, with the memory's times. */
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

/** A state record of the interface. */
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

/** What the rules of one slot depend on besides its claims. */
export interface StateRules {
  /** Whether a new value supersedes the old one. */
  readonly single: boolean;
  /** The form in which two values are compared. */
  readonly comparable: (value: string) => string;
  /** Stable record id from the slot, the value and the start of validity. */
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

/** Oldest first; of two that start together, the one that was written first, then by its source. */
function inOrder(claims: readonly StateClaim[]): StateClaim[] {
  return claims
    .map((claim) => ({
      claim,
      place: [startOf(claim), claim.created_at, claim.source_id].join("\n"),
    }))
    .sort((a, b) => compareStrings(a.place, b.place))
    .map(({ claim }) => claim);
}

/** The spans of a slot in the order in which they were begun, and those of each value. */
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

/** An `end` closes the span that held its value then; without one it leaves a closed span as history. */
function closeSpan(spans: Spans, claim: StateClaim, rules: StateRules): void {
  // Contradicted from the start: it never held.
  if (claim.valid_from !== null && claim.valid_to !== null && claim.valid_to <= claim.valid_from) {
    return;
  }
  const at = claim.valid_from ?? claim.event_date ?? claim.valid_to ?? claim.created_at;
  const key = rules.comparable(claim.value);
  const held = spans.of(key);
  const open = held.find((span) =>
    (span.to === null || span.to > at) && (span.from === null || span.from <= at)
  );
  if (open) {
    open.to = at;
    open.sources.push(claim.source_id);
  } else if (!held.length) {
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

/** An assertion goes on with the span that it touches, or begins one. */
function openSpan(spans: Spans, claim: StateClaim, rules: StateRules): void {
  const [key, from] = [rules.comparable(claim.value), startOf(claim)];
  const same = rules.single
    ? spans.all.findLast((span) => span.next === null && span.from !== null)
    : spans.of(key).at(-1);
  if (same && same.key === key && (same.to === null || same.to >= from)) {
    same.to = later(same.to, claim.valid_to);
    same.sources.push(claim.source_id);
    return;
  }
  // "I lived in Rome until 2020": when that began, nobody has said.
  const isOver = claim.valid_from === null && claim.valid_to !== null && claim.valid_to < from;
  const span: Span = {
    key,
    value: claim.value,
    from: isOver ? null : from,
    to: claim.valid_to,
    next: null,
    sources: [claim.source_id],
  };
  if (rules.single) {
    const over = claim.valid_to !== null && same !== undefined && same.to === null &&
      claim.valid_to <= from;
    if (same && !over) {
      same.to = earlier(same.to, from);
      same.next = span;
    }
  }
  spans.add(span);
}

/**
 * All records of one slot, oldest first. Assertions of one value that touch are one record with all their
 * sources; in a single-valued slot a later value closes the earlier one and supersedes it.
 */
export function stateHistory(
  claims: readonly StateClaim[],
  rules: StateRules,
): readonly StateRecord[] {
  const spans = new Spans();
  for (const claim of inOrder(claims)) {
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

/** Whether a record holds at an instant: from its first instant up to, not including, its last. */
export function isValidAt(record: StateRecord, at: string): boolean {
  return (record.valid_from === null ? record.valid_to === null : record.valid_from <= at) &&
    (record.valid_to === null || record.valid_to > at);
}

/** The value at an instant: the latest of the records that hold then; null when none does. */
export function stateAt(history: readonly StateRecord[], at: string): StateRecord | null {
  return history.filter((record) => isValidAt(record, at)).at(-1) ?? null;
}
