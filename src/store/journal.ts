/** The journal: every canonical change, in order. Projections follow it; rebuilding starts at 0. */

import sql from "sql-template-tag";
import type { Reader, Tx } from "./store.ts";

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

/** Appends many changes within the unit of work that makes them: one statement, whatever their number. */
export async function appendJournalEntries(
  tx: Tx,
  project: number,
  entries: readonly JournalEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.run(sql`insert into journal (project, kind, record_id, change, at)
    select ${project}, value ->> 'kind', value ->> 'recordId', value ->> 'change', value ->> 'at'
    from json_each(${JSON.stringify(entries)})`);
  tx.notify("journal");
}

/** The number of a project's last change; 0 when it has none. */
export async function journalHead(db: Reader, project: number): Promise<number> {
  const head = await db.first<{ seq: number | null }>(
    sql`select max(seq) as seq from journal where project = ${project}`,
  );
  return head?.seq ?? 0;
}

/** The ids of memories that were changed after an entry: up to so many changes are looked at. */
export async function changedMemories(
  db: Reader,
  project: number,
  after: number,
  count: number,
): Promise<string[]> {
  const rows = await db.all<{ record_id: string }>(sql`select record_id from journal
    where project = ${project} and seq > ${after} and kind = 'memory' limit ${count}`);
  return rows.map(({ record_id }) => record_id);
}
