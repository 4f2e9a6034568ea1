/** How a purge removes documents: versions, contents, chunks, and their words in the text index. */

import sql from "sql-template-tag";
import type { Store, Tx } from "../store/store.ts";
import { ChunkIndex } from "./chunk_index.ts";
import { clearSome } from "./clearing.ts";
import { retireSource } from "./retirement.ts";
import type { VersionRow } from "./row.ts";

/** The step of a purge that removes documents: retired first, then cleared a few chunks at a time. */
export function documentPurge(store: Store) {
  const index = new ChunkIndex(store);
  return {
    name: "documents",
    async run(tx: Tx, project: number): Promise<number> {
      const version = await tx.first<Pick<VersionRow, "source_key">>(sql`select source_key
        from document_versions where project = ${project} limit 1`);
      if (version !== undefined) {
        return (await retireSource(tx, project, version.source_key)).length;
      }
      return await clearSome(tx, index, { held: [], project }) ? 1 : 0;
    },
    compact: (tx: Tx, first: boolean) => index.purgeSome(tx, first),
  };
}
