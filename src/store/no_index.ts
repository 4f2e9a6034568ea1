/** The search index of an engine whose searches read a copy of the records. It stores nothing. */

import type { SearchIndex } from "./store.ts";

const nothing = () => Promise.resolve();
const nothingLeft = () => Promise.resolve(false);

/** An index that stores nothing. */
export const NO_INDEX: SearchIndex = {
  memories: { add: nothing, remove: nothing, clear: nothing, mergeStep: nothingLeft },
  chunks: { add: nothing, remove: nothing, clear: nothing, mergeStep: nothingLeft },
};
