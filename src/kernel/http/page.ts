/** Splits lists into pages. Cursors contain the sort values of the last row on the page. */

import type { Cursors, Position } from "./cursor.ts";

/** A page of a list, as returned by the API. */
export interface Page<Item> {
  readonly results: readonly Item[];
  readonly next_cursor: string | null;
}

/** Request fields that select a page. */
export interface PageFields {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of a list. */
export interface PageRequest extends PageFields {
  /** Everything that selects the rows. A list rejects cursors from other lists. */
  readonly list: readonly unknown[];
}

/**
 * Loads a page and creates the cursor for the next one. Fetches one extra row to find out whether
 * there is a next page.
 *
 * @param load returns at most `count` rows after a position (null: from the start), in list order
 * @param positionOf returns a row's sort values; they must be unique within the list
 *
 * @example
 * ```ts
 * import { Cursors } from "./cursor.ts";
 * import { paginate } from "./page.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const page = await paginate(
 *   new Cursors("secret"),
 *   { list: ["numbers"], limit: 2 },
 *   (after, count) => Promise.resolve([1, 2, 3].filter((n) => n > Number(after?.[0] ?? 0)).slice(0, count)),
 *   (n) => [n],
 *   (n) => `number ${n}`,
 * );
 * deepStrictEqual(page.results, ["number 1", "number 2"]);
 * ```
 */
export async function paginate<Row, Item, const P extends Position>(
  cursors: Cursors,
  request: PageRequest,
  load: (after: P | null, count: number) => Promise<Row[]>,
  positionOf: (row: Row) => P,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const after = request.cursor === undefined
    ? null
    : cursors.decode<P>(request.list, request.cursor);
  const rows = await load(after, request.limit + 1);
  const results = rows.slice(0, request.limit);
  const last = results.at(-1);
  const hasMore = rows.length > request.limit && last !== undefined;
  return {
    results: results.map(toItem),
    next_cursor: hasMore ? cursors.encode(request.list, positionOf(last)) : null,
  };
}
