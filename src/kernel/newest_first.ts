/** The order of lists. */

/** What a list is ordered by. */
export interface Dated {
  readonly created_at: string;
  readonly id: string;
}

/**
 * Compares two records for a list that begins with the newest one. Records of the same time are
 * ordered by id.
 *
 * @example
 * ```ts
 * import { newestFirst } from "./newest_first.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const records = [
 *   { id: "a", created_at: "2024-05-01T00:00:00.000Z" },
 *   { id: "b", created_at: "2026-05-01T00:00:00.000Z" },
 *   { id: "c", created_at: "2024-05-01T00:00:00.000Z" },
 * ];
 * deepStrictEqual(records.sort(newestFirst).map(({ id }) => id), ["b", "c", "a"]);
 * ```
 */
export function newestFirst(a: Dated, b: Dated): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
