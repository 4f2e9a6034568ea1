/** Activity counters of a project. */

/**
 * Memories added and changed (a deletion is a change), document versions, and searches for either.
 */
export const ACTIVITY_KINDS = [
  "memories_added",
  "memories_changed",
  "documents",
  "searches",
] as const;

export type ActivityKind = typeof ACTIVITY_KINDS[number];

/** Activity in one hour. Hours without any activity have no counter. */
export interface ActivityHour {
  /** Start of the hour, in UTC. */
  readonly hour: string;
  readonly kind: ActivityKind;
  readonly count: number;
}
