/**
 * The request and result of an exact query over memories or documents: a filter and an order,
 * without ranking. Both are plain data, since they cross a worker boundary.
 */

/** Fields that a query for memories can be ordered by. Documents are ordered by `created_at`. */
export const ORDER_FIELDS = ["created_at", "updated_at", "event_date", "importance"] as const;
export type OrderField = typeof ORDER_FIELDS[number];

/** Directions of an order. */
export const DIRECTIONS = ["desc", "asc"] as const;
export type Direction = typeof DIRECTIONS[number];

/** An exact query over the memories, or the current documents, in a project. */
export interface RecordQuery {
  readonly records: "memories" | "documents";
  readonly project: number;
  /** Values required of every result, named as in the text index, e.g. `user_id=ana`. */
  readonly tags: readonly string[];
  /** A filter that compiles, or undefined for none. */
  readonly filters: unknown;
  readonly orderBy: OrderField;
  readonly direction: Direction;
  /** Where the previous page ended, or null for the first page. */
  readonly after: QueryPosition | null;
  /** Number of matching records to skip. Defaults to 0. */
  readonly offset?: number;
  /** Maximum number of results. */
  readonly limit: number;
  /** Whether to count all matching records as well. */
  readonly count: boolean;
}

/** A record's place in the order: its sort value, then its id, which is unique. */
export type QueryPosition = readonly [value: string | number, id: string];

/** The positions of the matching records, and how many there are if that was requested. */
export interface RecordQueryResult {
  readonly positions: readonly QueryPosition[];
  readonly count: number | null;
}
