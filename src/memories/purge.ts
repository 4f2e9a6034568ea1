/** Removes a deleted project's memories. */

import type { Store, Tx } from "../store/store.ts";
import { removeMemories } from "./repository.ts";
import { memoryEntry } from "./row.ts";

/** Returns the purge step that removes memories and their text index entries. */
export function memoryPurge(store: Store) {
  const index = store.index.memories;
  return {
    name: "memories",
    async run(tx: Tx, project: number, count: number) {
      const rows = await removeMemories(tx, project, count);
      for (const row of rows) await index.remove(tx, project, row.seq, memoryEntry(row));
      return rows.length;
    },
    compact: (tx: Tx, first: boolean) => index.mergeStep(tx, first),
  };
}
