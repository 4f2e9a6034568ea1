/**
 * The memory audit trail: every change to a memory, in order. Still readable after the memory is
 * deleted.
 */

import sql, { empty } from "sql-template-tag";
import { recordRows } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ChangeSource, HistoryRecord } from "../schema.ts";

/** A `memory_history` row. Structured fields are JSON text. */
export interface HistoryRow {
  readonly seq: number;
  readonly id: string;
  readonly memory_id: string;
  readonly event: HistoryRecord["event"];
  readonly old_memory: string | null;
  readonly new_memory: string | null;
  readonly changes: string | null;
  readonly feedback: string | null;
  readonly source: string;
  readonly request_id: string | null;
  readonly created_at: string;
}

/** A history entry to write. Fields that don't apply to the event are omitted. */
export interface NewHistoryEntry {
  readonly id: string;
  readonly memoryId: string;
  readonly event: HistoryRecord["event"];
  readonly old?: string;
  readonly new?: string;
  readonly changes?: HistoryRecord["changes"];
  readonly feedback?: HistoryRecord["feedback"];
  readonly source: ChangeSource;
  /** Null for changes not caused by a request. */
  readonly requestId: string | null;
  readonly at: string;
}

/** Appends one entry. Call this in the same unit of work as the change. */
export function insertHistory(tx: Tx, project: number, entry: NewHistoryEntry): void {
  tx.post(sql`insert into memory_history
    (project, id, memory_id, event, old_memory, new_memory, changes, feedback, source, request_id,
     created_at)
    values (${project}, ${entry.id}, ${entry.memoryId}, ${entry.event}, ${entry.old ?? null},
     ${entry.new ?? null}, ${jsonOrNull(entry.changes)}, ${jsonOrNull(entry.feedback)},
     ${JSON.stringify(entry.source)}, ${entry.requestId}, ${entry.at})`);
}

/**
 * Appends ADD entries for memories that were added together, in a single statement no matter how
 * many there are.
 */
export function insertAddEntries(
  tx: Tx,
  project: number,
  entries: readonly Required<Pick<NewHistoryEntry, "id" | "memoryId" | "new" | "at">>[],
  { source, requestId }: Pick<NewHistoryEntry, "source" | "requestId">,
): void {
  tx.post(sql`insert into memory_history
    (project, id, memory_id, event, new_memory, source, request_id, created_at)
    select ${project}, value ->> 'id', value ->> 'memoryId', 'ADD', value ->> 'new',
      ${JSON.stringify(source)}, ${requestId}, value ->> 'at'
    from ${recordRows(entries)}`);
}

/** Returns a structured field as stored: JSON text, or null if missing. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/**
 * Returns a memory's entries, oldest first.
 *
 * @param after sequence number of the last entry on the previous page, or null for the first page
 */
export function listHistory(
  db: Reader,
  project: number,
  memoryId: string,
  after: number | null,
  count: number,
): Promise<HistoryRow[]> {
  const later = after === null ? empty : sql`and seq > ${after}`;
  return db.all<HistoryRow>(sql`select seq, id, memory_id, event, old_memory, new_memory, changes,
      feedback, source, request_id, created_at
    from memory_history where project = ${project} and memory_id = ${memoryId} ${later}
    order by seq limit ${count}`);
}

/** Converts a row to an API record. */
export function showHistory(row: HistoryRow): HistoryRecord {
  return {
    id: row.id,
    memory_id: row.memory_id,
    event: row.event,
    old_memory: row.old_memory,
    new_memory: row.new_memory,
    changes: row.changes === null ? null : JSON.parse(row.changes),
    feedback: row.feedback === null ? null : JSON.parse(row.feedback),
    source: JSON.parse(row.source),
    request_id: row.request_id,
    created_at: row.created_at,
  };
}
