/** Cutting a list into pages by the sort values of the last row shown. */

import type { Cursors, Position } from "./cursor.ts";

/** One page, as lists answer it. */
export interface Page<Item> {
  readonly results: readonly Item[];
  readonly next_cursor: string | null;
}

/** The part of a request that asks for a page. */
export interface PageFields {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Which list is cut, and where. */
export interface PageRequest extends PageFields {
  /** Everything that selects the rows: a cursor of one list is refused in another. */
  readonly list: readonly unknown[];
}

/**
 * Asks `load` for one row more than fits, which tells whether another page follows.
 *
 * @param load rows after a position (null: from the start), in the order of the list
 * @param positionOf the sort values of a row; they must tell any two rows apart
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
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const more = rows.length > request.limit && last !== undefined;
  return {
    results: shown.map(toItem),
    next_cursor: more ? cursors.encode(request.list, positionOf(last)) : null,
  };
}
