/** Evidence for a belief: its rows, when they hold, and which of them count. */

/** Kinds of context in which a belief may apply; `global` has no key. */
export const APPLICABILITY_KINDS = [
  "global",
  "project",
  "task",
  "conversation",
  "channel",
  "custom",
] as const;

/** Where a belief applies. */
export interface Applicability {
  readonly kind: (typeof APPLICABILITY_KINDS)[number];
  readonly key: string | null;
}

/** One memory's claim as evidence. Keys, weights and applicability are set by the service, never by a client. */
export interface Evidence {
  readonly id: string;
  readonly source_id: string;
  readonly value: string;
  /** Evidence with one key is one voice: its echoes count once. */
  readonly evidence_key: string;
  readonly context_id: string;
  readonly applicability: Applicability;
  readonly observed_at: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly weight: number;
  /** False once the memory was deleted or ended. */
  readonly active: boolean;
}

/** Identity of an applicability. */
export const applicabilityKey = (where: Applicability): string =>
  `${where.kind}\n${where.key ?? ""}`;

/** Start of the validity window: open to the past only when nothing says when it began. */
const start = (row: Evidence) => row.valid_from ?? row.observed_at;

/** Whether a row speaks at an instant. */
export function isActiveAt(row: Evidence, at: string): boolean {
  return row.active && start(row) <= at && (row.valid_to === null || row.valid_to > at);
}

/** Keys that claim two active values within one applicability: none of their rows is believed. */
export function quarantinedKeys(
  rows: readonly Evidence[],
  at: string,
  comparable: (value: string) => string,
): ReadonlySet<string> {
  const values = new Map<string, Set<string>>();
  for (const row of rows) {
    if (!isActiveAt(row, at)) continue;
    const key = `${applicabilityKey(row.applicability)}\n${row.evidence_key}`;
    const said = values.get(key) ?? new Set();
    values.set(key, said.add(comparable(row.value)));
  }
  return new Set([...values].filter(([, said]) => said.size > 1).map(([key]) => key));
}

/** The row that speaks for each key: the heaviest, then the first observed, then by id. */
export function independentEvidence(rows: readonly Evidence[]): readonly Evidence[] {
  const best = new Map<string, Evidence>();
  for (const row of rows) {
    const held = best.get(row.evidence_key);
    if (!held || compareEvidence(row, held) < 0) best.set(row.evidence_key, row);
  }
  return [...best.values()];
}

function compareEvidence(a: Evidence, b: Evidence): number {
  return b.weight - a.weight || compareStrings(a.observed_at, b.observed_at) ||
    compareStrings(a.id, b.id);
}

/** Order of two texts, independent of the locale. */
export const compareStrings = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;
