/** The journal: every canonical change, in order. Projections follow it; rebuilding starts at 0. */

import sql from "sql-template-tag";
import type { Tx } from "./store.ts";

/** Records whose changes are journalled. */
export type JournalKind = "memory" | "document" | "project" | "event" | "operation";

/** One canonical change. */
export interface JournalEntry {
  readonly kind: JournalKind;
  readonly recordId: string;
  /** The event of the interface that caused it, e.g. ADD. */
  readonly change: string;
  readonly at: string;
}

/** Appends a change within the unit of work that makes it. */
export async function appendJournal(tx: Tx, project: number, entry: JournalEntry): Promise<void> {
  await tx.run(sql`insert into journal (project, kind, record_id, change, at)
    values (${project}, ${entry.kind}, ${entry.recordId}, ${entry.change}, ${entry.at})`);
  tx.notify("journal");
}
