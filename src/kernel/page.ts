/** Splits a list into pages. A cursor contains the sort values of the last row of its page. */

import type { Cursors, Position } from "./cursor.ts";

/** One page of a list, as the API returns it. */
export interface Page<Item> {
  readonly results: readonly Item[];
  readonly next_cursor: string | null;
}

/** Fields of a request that select a page. */
export interface PageFields {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Page of a list. */
export interface PageRequest extends PageFields {
  /** Everything that selects the rows. A cursor of one list is rejected by another. */
  readonly list: readonly unknown[];
}

/**
 * Loads one page and creates the cursor of the next one. It loads one row more than the page
 * contains, to find out whether another page follows.
 *
 * @param load returns at most `count` rows after a position (null: from the start), in list order
 * @param positionOf returns the sort values of a row; they must be unique within the list
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
export async function paginate<Row, Item>(
  cursors: Cursors,
  request: PageRequest,
  load: (after: Position | null, count: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const after = request.cursor === undefined ? null : cursors.decode(request.list, request.cursor);
  const rows = await load(after, request.limit + 1);
  const results = rows.slice(0, request.limit);
  const last = results.at(-1);
  const hasMore = rows.length > request.limit && last !== undefined;
  return {
    results: results.map(toItem),
    next_cursor: hasMore ? cursors.encode(request.list, positionOf(last)) : null,
  };
}
