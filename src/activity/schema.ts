/** A project's activity counters. */

/**
 * Memories added and changed (deletions count as changes), document versions, and searches for
 * either.
 */
export const ACTIVITY_KINDS = [
  "memories_added",
  "memories_changed",
  "documents",
  "searches",
] as const;

export type ActivityKind = typeof ACTIVITY_KINDS[number];

/** Activity in one hour. Hours without activity have no counter. */
export interface ActivityHour {
  /** Start of the hour, in UTC. */
  readonly hour: string;
  readonly kind: ActivityKind;
  readonly count: number;
}
