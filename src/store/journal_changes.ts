/**
 * Follows the journal from a given position, with the SQL that all its followers have in common.
 * The functions return SQL rather than running it, so they work with both the synchronous
 * connections in workers and the store's asynchronous readers. Each follower states which columns
 * it needs and what it does with the changes.
 */

import sql, { type Sql } from "sql-template-tag";
import type { JournalKind } from "./journal.ts";

/**
 * Maximum number of changes that a cache catches up on. If there are more, the cache is rebuilt.
 */
const MAX_CATCH_UP_CHANGES = 5_000;

/** A project's changes after a position in the journal. */
export interface ChangesAfter {
  readonly project: number;
  /** Sequence number of the last known entry. */
  readonly after: number;
  /** Kind of record that changed. Defaults to all kinds. */
  readonly kind?: JournalKind;
}

/** Query for the last position in the whole journal, which is 0 if the journal is empty. */
export const JOURNAL_END: Sql = sql`select coalesce(max(seq), 0) as position from journal`;

/** Returns the query for a project's last position, which is 0 if the project has no entries. */
export function journalEndOf(project: number | Sql): Sql {
  return sql`${JOURNAL_END} where project = ${project}`;
}

/**
 * Returns the query for columns of the journal entries after a position. If you need an order or a
 * limit, append it to the query.
 */
export function selectChanges(columns: Sql, { project, after, kind }: ChangesAfter): Sql {
  const ofProject =
    sql`select ${columns} from journal where project = ${project} and seq > ${after}`;
  return kind === undefined ? ofProject : sql`${ofProject} and kind = ${kind}`;
}

/** A worker's connection, or anything else that reads one row synchronously. */
interface RowReader {
  first<Row>(query: Sql): Row | undefined;
}

/**
 * Summarizes the changes after a position in a single row, for caches that follow the journal.
 * Returns undefined if there are too many changes, because rebuilding the cache is faster then.
 *
 * @param columns columns of the entries that `aggregates` refers to
 * @param aggregates columns of the resulting row
 */
export function summarizeChanges<Row>(
  connection: RowReader,
  changes: ChangesAfter,
  columns: Sql,
  aggregates: Sql,
): Row | undefined {
  const row = connection.first<Row & { readonly changeCount: number }>(sql`
    select count(*) as changeCount, ${aggregates}
    from (${selectChanges(columns, changes)} limit ${MAX_CATCH_UP_CHANGES})`)!;
  return row.changeCount === MAX_CATCH_UP_CHANGES ? undefined : row;
}
