/** Rebuilds the memory text index after a change to term extraction. */

import sql from "sql-template-tag";
import { NO_REPORT, type ReportStep } from "../kernel/progress.ts";
import { TERMS_VERSION } from "../search/query/terms.ts";
import { readMeta, writeMeta } from "../store/meta.ts";
import type { Reader, Store } from "../store/store.ts";
import { COLUMNS } from "./repository.ts";
import { memoryEntry, type MemoryRow, termsBlob } from "./row.ts";

/** Number of rows indexed per unit of work, small enough not to delay requests noticeably. */
const BATCH_ROWS = 200;

type IndexedRow = MemoryRow & { readonly project: number };

/**
 * Rebuilds the memory index if it was built with a different version of the terms. A crash leaves
 * the old version in place, so the next start rebuilds the index from scratch.
 */
export async function reindexIfOutdated(
  store: Store,
  report: ReportStep = NO_REPORT,
): Promise<void> {
  const stored = await store.read((db) => readMeta(db, "terms_version"));
  if (stored === String(TERMS_VERSION)) return;
  await reindex(store, report);
  await store.write("maintenance", (tx) => writeMeta(tx, "terms_version", String(TERMS_VERSION)));
}

/** Clears the memory index and repopulates it from the rows. */
async function reindex(store: Store, report: ReportStep): Promise<void> {
  const index = store.index.memories;
  await store.write("maintenance", (tx) => index.clear(tx));
  let after = 0;
  for (let done = 0;; done += BATCH_ROWS) {
    report(`Indexing the memories again, ${done} done`);
    const last = await store.write("maintenance", async (tx) => {
      const rows = await rowsAfter(tx, after);
      for (const row of rows) {
        await index.add(tx, row.project, row.seq, memoryEntry(row));
        await tx.run(sql`update memories set terms = ${termsBlob(row)}
          where project = ${row.project} and seq = ${row.seq}`);
      }
      return rows.at(-1)?.seq;
    });
    if (last === undefined) return;
    after = last;
  }
}

function rowsAfter(db: Reader, seq: number): Promise<IndexedRow[]> {
  return db.all<IndexedRow>(sql`select project, ${COLUMNS} from memories
    where seq > ${seq} order by seq limit ${BATCH_ROWS}`);
}
