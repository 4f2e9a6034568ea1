/** Removes a deleted project's uploads. */

import sql from "sql-template-tag";
import type { Tx } from "../store/store.ts";
import type { UploadCleanup } from "./cleanup.ts";
import { type AssetRow, COLUMNS } from "./repository.ts";

/** Returns the purge step that removes uploads in any state, including their files. */
export function uploadPurge(cleanup: UploadCleanup) {
  return {
    name: "source_assets",
    async run(tx: Tx, project: number, count: number): Promise<number> {
      const assets = await tx.all<AssetRow>(sql`delete from source_assets
        where +project = ${project} and seq in
          (select seq from source_assets where project = ${project} limit ${count})
        returning ${COLUMNS}`);
      for (const asset of assets) await cleanup.recordLeftovers(tx, asset);
      return assets.length;
    },
    deleteFiles: (project: number) => cleanup.runFor(project),
  };
}
