/** Evidence for beliefs: its rows, when they're active and which ones count. */

/** Kinds of context a belief can apply in. `global` has no key. */
export const APPLICABILITY_KINDS = [
  "global",
  "project",
  "task",
  "conversation",
  "channel",
  "custom",
] as const;

/** Context a belief applies in. */
export interface Applicability {
  readonly kind: (typeof APPLICABILITY_KINDS)[number];
  readonly key: string | null;
}

/**
 * A claim from one memory, used as evidence. Keys, weights and applicability are set by the
 * service, never by a client.
 */
export interface Evidence {
  readonly id: string;
  readonly source_id: string;
  readonly value: string;
  /** Rows sharing a key are duplicates and count once. */
  readonly evidence_key: string;
  readonly context_id: string;
  readonly applicability: Applicability;
  readonly observed_at: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly weight: number;
  /** False if the memory was deleted or has ended. */
  readonly active: boolean;
}

/** Returns a string that identifies an applicability. */
export const applicabilityKey = ({ kind, key }: Applicability): string => `${kind}\n${key ?? ""}`;

/** Returns the start of a row's validity: `valid_from`, or else the time of observation. */
const start = (row: Evidence) => row.valid_from ?? row.observed_at;

/** Checks whether a row is active at an instant. */
export function isActiveAt(row: Evidence, at: string): boolean {
  return row.active && start(row) <= at && (row.valid_to === null || row.valid_to > at);
}

/** Returns keys with two active values in one applicability. We don't believe any of their rows. */
export function quarantinedKeys(
  rows: readonly Evidence[],
  at: string,
  comparable: (value: string) => string,
): ReadonlySet<string> {
  const values = new Map<string, Set<string>>();
  for (const row of rows) {
    if (!isActiveAt(row, at)) continue;
    const key = `${applicabilityKey(row.applicability)}\n${row.evidence_key}`;
    const active = values.get(key) ?? new Set();
    values.set(key, active.add(comparable(row.value)));
  }
  return new Set([...values].filter(([, active]) => active.size > 1).map(([key]) => key));
}

/**
 * Returns one row per key: the one with the greatest weight. Ties are broken by time of
 * observation, then by id.
 */
export function independentEvidence(rows: readonly Evidence[]): readonly Evidence[] {
  const best = new Map<string, Evidence>();
  for (const row of rows) {
    const current = best.get(row.evidence_key);
    if (!current || compareEvidence(row, current) < 0) best.set(row.evidence_key, row);
  }
  return [...best.values()];
}

function compareEvidence(a: Evidence, b: Evidence): number {
  return b.weight - a.weight || compareStrings(a.observed_at, b.observed_at) ||
    compareStrings(a.id, b.id);
}

/** Compares two strings by code units, independent of the locale. */
export const compareStrings = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;
