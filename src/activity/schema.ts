/** Counters of a project's activity. */

/**
 * Added and changed memories (deletions count as changes), versions of documents, and searches of
 * either.
 */
export const ACTIVITY_KINDS = [
  "memories_added",
  "memories_changed",
  "documents",
  "searches",
] as const;

export type ActivityKind = typeof ACTIVITY_KINDS[number];

/** Counter of one hour. Hours without activity have none. */
export interface ActivityHour {
  /** Start of the hour, in UTC. */
  readonly hour: string;
  readonly kind: ActivityKind;
  readonly count: number;
}
