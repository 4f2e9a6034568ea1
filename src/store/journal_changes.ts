/**
 * Follows the journal from a position: the SQL that all its followers have in common. The functions
 * return SQL, so they serve the synchronous connections of workers and the asynchronous readers of
 * the store. A follower states which columns it needs and what it does with the changes.
 */

import sql, { type Sql } from "sql-template-tag";
import type { JournalKind } from "./journal.ts";

/** Maximum number of changes that a cache catches up with. After more of them, it is rebuilt. */
const MAX_CATCH_UP_CHANGES = 5_000;

/** The changes of a project after a position of the journal. */
export interface ChangesAfter {
  readonly project: number;
  /** Sequence number of the last known entry. */
  readonly after: number;
  /** Kind of the changed records. Defaults to all. */
  readonly kind?: JournalKind;
}

/** Query for the last position of the whole journal; 0 if it is empty. */
export const JOURNAL_END: Sql = sql`select coalesce(max(seq), 0) as position from journal`;

/** Returns the query for the last position of a project; 0 if it has no entries. */
export function journalEndOf(project: number | Sql): Sql {
  return sql`${JOURNAL_END} where project = ${project}`;
}

/**
 * Returns the query for columns of journal entries after a position. Append an order or a limit if
 * it needs one.
 */
export function selectChanges(columns: Sql, { project, after, kind }: ChangesAfter): Sql {
  const ofProject =
    sql`select ${columns} from journal where project = ${project} and seq > ${after}`;
  return kind === undefined ? ofProject : sql`${ofProject} and kind = ${kind}`;
}

/** Connection of a worker, or anything else that reads one row synchronously. */
interface RowReader {
  first<Row>(query: Sql): Row | undefined;
}

/**
 * Summarizes the changes after a position in one row, for caches that follow the journal. Returns
 * undefined if there are too many of them. Rebuilding the cache is faster then.
 *
 * @param columns columns of the entries that `aggregates` refers to
 * @param aggregates columns of the row
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
