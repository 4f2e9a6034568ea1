/** Removes a deleted project's documents: versions, contents, chunks and index entries. */

import sql from "sql-template-tag";
import type { Store, Tx } from "../store/store.ts";
import { collectSome } from "./gc_steps.ts";
import { deleteSourceVersions } from "./version_gc.ts";
import type { VersionRow } from "./row.ts";

/**
 * Returns the purge step for documents. Deletes the sources first, then collects their versions, a
 * few chunks per unit of work.
 */
export function documentPurge(store: Store) {
  const index = store.index.chunks;
  return {
    name: "documents",
    async run(tx: Tx, project: number, count: number): Promise<number> {
      const sources = await tx.all<Pick<VersionRow, "source_key">>(sql`select distinct source_key
        from document_versions where project = ${project} limit ${count}`);
      let versions = 0;
      for (const { source_key } of sources) {
        versions += (await deleteSourceVersions(tx, project, source_key)).length;
        // Check the limit after each source, since a source can have any number of versions.
        if (versions >= count) break;
      }
      if (versions > 0) return versions;
      return await collectSome(tx, index, { pinned: [], project }) ? 1 : 0;
    },
    compact: (tx: Tx, first: boolean) => index.mergeStep(tx, first),
  };
}
