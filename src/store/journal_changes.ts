/**
 * SQL shared by everything that follows the journal from a given position. Functions return SQL
 * rather than running it, so they work with both the synchronous connections in workers and the
 * store's asynchronous readers. It's up to each follower which columns to read and what to do with
 * them.
 */

import sql, { type Sql } from "sql-template-tag";
import type { JournalKind } from "./journal.ts";

/** Maximum number of changes for a cache to catch up on. Beyond that, it's rebuilt. */
const MAX_CATCH_UP_CHANGES = 5_000;

/** A project's changes after a position in the journal. */
export interface ChangesAfter {
  readonly project: number;
  /** Sequence number of the last known entry. */
  readonly after: number;
  /** Kind of record changed. Defaults to all kinds. */
  readonly kind?: JournalKind;
}

/** Query for the journal's last position, or 0 if it's empty. */
export const JOURNAL_END: Sql = sql`select coalesce(max(seq), 0) as position from journal`;

/** Returns the query for a project's last position, or 0 if it has no entries. */
export function journalEndOf(project: number | Sql): Sql {
  return sql`${JOURNAL_END} where project = ${project}`;
}

/**
 * Returns a query for columns of the journal entries after a position. Append an order or limit if
 * needed.
 */
export function selectChanges(columns: Sql, { project, after, kind }: ChangesAfter): Sql {
  const ofProject =
    sql`select ${columns} from journal where project = ${project} and seq > ${after}`;
  return kind === undefined ? ofProject : sql`${ofProject} and kind = ${kind}`;
}

/** A worker's connection, or anything else that reads a single row synchronously. */
interface RowReader {
  first<Row>(query: Sql): Row | undefined;
}

/**
 * Summarizes the changes after a position in a single row, for caches that follow the journal.
 * Returns undefined if there are too many, since rebuilding the cache is faster then.
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
