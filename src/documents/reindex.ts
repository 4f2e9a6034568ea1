/** Rebuilds the chunk text index if it was written by a different version of the program. */

import sql from "sql-template-tag";
import { NO_REPORT, type ReportStep } from "../kernel/progress.ts";
import { IMPACTS_VERSION } from "../search/lexical/impacts.ts";
import { TERMS_VERSION } from "../search/query/terms.ts";
import { readMeta, writeMeta } from "../store/meta.ts";
import type { Reader, Store } from "../store/store.ts";
import { type ChunkRow, chunkTerms, type VersionRow, versionTags } from "./row.ts";
import { IS_HEAD } from "./version_states.ts";

/** Rows per unit of work. All processes wait for the index before they use the records. */
const BATCH_ROWS = 2_000;

/** A version that covers everything the index depends on. */
const INDEX_VERSION = `${TERMS_VERSION}.${IMPACTS_VERSION}`;

type IndexedRow =
  & Pick<ChunkRow, "seq" | "version" | "position" | "heading_path" | "content">
  & Pick<VersionRow, "title" | "source_key" | "user_id" | "agent_id" | "run_id">
  & { readonly project: number };

/**
 * Rebuilds the chunk index unless it was written by this version of the program. A crash leaves the
 * old version number in place, so the next start begins again.
 */
export async function reindexChunksIfOutdated(
  store: Store,
  report: ReportStep = NO_REPORT,
): Promise<void> {
  const stored = await store.read((db) => readMeta(db, "chunk_index_version"));
  if (stored === INDEX_VERSION) return;
  await reindexChunks(store, report);
  await store.write("maintenance", (tx) => writeMeta(tx, "chunk_index_version", INDEX_VERSION));
}

/** Clears the chunk index, then adds the chunks of all heads. */
async function reindexChunks(store: Store, report: ReportStep): Promise<void> {
  const index = store.index.chunks;
  await store.write("maintenance", async (tx) => {
    await index.clear(tx);
    // The rebuilt index doesn't contain versions waiting for the collector.
    await tx.run(sql`update retired_versions set indexed = 0`);
  });
  let after = 0;
  for (let done = 0;; done += BATCH_ROWS) {
    report(`Indexing the documents again, ${done} chunks done`);
    const last = await store.write("maintenance", async (tx) => {
      const rows = await rowsAfter(tx, after);
      for (const row of rows) {
        const terms = chunkTerms(
          row.project,
          row.title,
          JSON.parse(row.heading_path),
          row.content,
        );
        await index.add(tx, row.project, row, terms, versionTags(row));
      }
      return rows.at(-1)?.seq;
    });
    if (last === undefined) return;
    after = last;
    while (await store.write("maintenance", (tx) => index.mergeStep(tx, false)));
  }
}

/** Returns rows in chunk order, since the index is fastest to write in its own order. */
function rowsAfter(db: Reader, seq: number): Promise<IndexedRow[]> {
  return db.all<IndexedRow>(
    sql`select chunks.project, chunks.seq, version, position, heading_path, content, title,
      source_key, user_id, agent_id, run_id
    from chunks cross join document_versions as version on version.seq = chunks.version
    where chunks.seq > ${seq} and ${IS_HEAD}
    order by chunks.seq limit ${BATCH_ROWS}`,
  );
}
