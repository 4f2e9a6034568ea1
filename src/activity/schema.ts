/** What is counted of a project's activity. */

/** Adds, changes and removals of memories, versions of documents, and searches of either. */
export const ACTIVITY_KINDS = [
  "memories_added",
  "memories_changed",
  "documents",
  "searches",
] as const;

export type ActivityKind = typeof ACTIVITY_KINDS[number];

/** What happened in one hour. An hour in which nothing did has none. */
export interface ActivityHour {
  /** Its beginning, in UTC. */
  readonly hour: string;
  readonly kind: ActivityKind;
  readonly count: number;
}
