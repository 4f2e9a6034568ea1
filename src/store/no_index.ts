/** The search index of an engine whose searches read a copy of the records. It stores nothing. */

import type { Sql } from "sql-template-tag";
import type { SearchIndex, Tx } from "./store.ts";

const nothing = () => Promise.resolve();
const nothingLeft = () => Promise.resolve(false);

/** No one needs the row's number, so nothing has to wait for it. */
function insert(tx: Tx, _project: number, row: Sql): Promise<void> {
  tx.post(row);
  return Promise.resolve();
}

/** An index that stores nothing. */
export const NO_INDEX: SearchIndex = {
  memories: { insert, add: nothing, remove: nothing, clear: nothing, mergeStep: nothingLeft },
  chunks: { add: nothing, remove: nothing, clear: nothing, mergeStep: nothingLeft },
};
