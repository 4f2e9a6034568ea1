/**
 * The request and result of an exact query over memories: a filter and an order, without ranking.
 * Both are plain data, since they cross a worker boundary.
 */

/** Fields that a query can be ordered by. */
export const ORDER_FIELDS = ["created_at", "updated_at", "event_date", "importance"] as const;
export type OrderField = typeof ORDER_FIELDS[number];

/** Directions of an order. */
export const DIRECTIONS = ["desc", "asc"] as const;
export type Direction = typeof DIRECTIONS[number];

/** An exact query over the memories in a project. */
export interface MemoryQuery {
  readonly project: number;
  /** Values required of every result, named as in the text index, e.g. `user_id=ana`. */
  readonly tags: readonly string[];
  /** A filter that compiles, or undefined for none. */
  readonly filters: unknown;
  readonly orderBy: OrderField;
  readonly direction: Direction;
  /** Where the previous page ended, or null for the first page. */
  readonly after: QueryPosition | null;
  /** Maximum number of results. */
  readonly limit: number;
  /** Whether to count all matching memories as well. */
  readonly count: boolean;
}

/** A row's place in the order: its sort value, then its id, which is unique. */
export type QueryPosition = readonly [value: string | number, id: string];

/** The positions of the matching memories, and how many there are if that was requested. */
export interface MemoryQueryResult {
  readonly positions: readonly QueryPosition[];
  readonly count: number | null;
}
