/**
 * Appends to and reads the journal, which lists all canonical changes in order. Projections follow
 * it; a rebuild starts at 0.
 */

import sql from "sql-template-tag";
import { journalEndOf, selectChanges } from "./journal_changes.ts";
import { recordRows } from "./sql.ts";
import type { Reader, Tx } from "./store.ts";

/** Kinds of records tracked by the journal. */
export type JournalKind = "memory" | "document" | "project" | "event" | "operation";

/** A canonical change. */
export interface JournalEntry {
  readonly kind: JournalKind;
  readonly recordId: string;
  /** API event that caused the change, e.g. ADD. */
  readonly change: string;
  readonly at: string;
}

/** Appends a change. Call this in the same unit of work that makes it. */
export function appendJournal(tx: Tx, project: number, entry: JournalEntry): void {
  tx.post(sql`insert into journal (project, kind, record_id, change, at)
    values (${project}, ${entry.kind}, ${entry.recordId}, ${entry.change}, ${entry.at})`);
  tx.notify("journal");
}

/**
 * Appends any number of changes in a single statement. Call this in the same unit of work that
 * makes them.
 */
export function appendJournalEntries(
  tx: Tx,
  project: number,
  entries: readonly JournalEntry[],
): void {
  if (entries.length === 0) return;
  tx.post(sql`insert into journal (project, kind, record_id, change, at)
    select ${project}, value ->> 'kind', value ->> 'recordId', value ->> 'change', value ->> 'at'
    from ${recordRows(entries)}`);
  tx.notify("journal");
}

/** Returns the sequence number of a project's last change, or 0 if there are none. */
export async function journalHead(db: Reader, project: number): Promise<number> {
  return (await db.first<{ position: number }>(journalEndOf(project)))!.position;
}

/**
 * Returns the ids of memories changed after a given entry.
 *
 * @param after sequence number of that entry
 * @param count maximum number of changes to read
 */
export async function changedMemories(
  db: Reader,
  project: number,
  after: number,
  count: number,
): Promise<string[]> {
  const changes = selectChanges(sql`record_id`, { project, after, kind: "memory" });
  const rows = await db.all<{ record_id: string }>(sql`${changes} limit ${count}`);
  return rows.map(({ record_id }) => record_id);
}
