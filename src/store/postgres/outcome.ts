/**
 * Finds out whether a transaction was committed if the response to its commit was lost.
 *
 * The server knows the outcome of each id. But after a crash it gives out an id again if nothing
 * about its transaction was on disk. So once the server has been down, "committed" can be about
 * another transaction. The first id that was given out after the recovery shows which one it is.
 */

import sql from "sql-template-tag";
import type { PgConnection } from "./connection.ts";

/** A transaction that was begun. */
export interface Transaction {
  /** Its id, as `xid8`. */
  readonly id: string;
  /** The run of the server. See {@linkcode PgConnection.serverRun}. */
  readonly serverRun: string;
}

/** `unknown` is final, and `running` is not. */
export type TransactionOutcome = "committed" | "aborted" | "running" | "unknown";

/** SQLSTATE for an id that the server hasn't given out, since it lost the transaction in a crash. */
const UNKNOWN_ID = "22023";

/** Returns the outcome of a transaction, looked up on another connection. */
export async function outcomeOf(
  connection: PgConnection,
  { id, serverRun }: Transaction,
): Promise<TransactionOutcome> {
  const status = await statusOf(connection, id);
  if (status !== "committed") return status === "aborted" ? "aborted" : "running";
  if (connection.serverRun === serverRun) return "committed";
  return await outcomeAfterRecovery(connection, id).catch(() => "unknown");
}

/** Returns what the server knows about an id. Null if it has forgotten it. */
async function statusOf(connection: PgConnection, id: string): Promise<string | null> {
  try {
    const { rows } = await connection.query<{ status: string | null }>(
      sql`select pg_xact_status(${id}::xid8) as status`,
    );
    return rows[0]?.status ?? null;
  } catch (error) {
    if ((error as { code?: string }).code === UNKNOWN_ID) return "aborted";
    throw error;
  }
}

/**
 * Returns the outcome of a transaction before the server's last start, whose id is committed. A
 * recovery ends with a checkpoint that has the next id. It's the only kind of checkpoint during
 * which nothing is written, except for those of a server that writes little to its log.
 */
async function outcomeAfterRecovery(
  connection: PgConnection,
  id: string,
): Promise<TransactionOutcome> {
  const { rows } = await connection.query<{ known: number; exact: number }>(sql`
    select next > ${id}::text::bigint as known, exact
    from (select cast(split_part(next_xid, ':', 1) as bigint) * 4294967296
          + cast(split_part(next_xid, ':', 2) as bigint) as next,
        redo_lsn = checkpoint_lsn and current_setting('wal_level') <> 'minimal' as exact
      from pg_control_checkpoint()) as last`);
  const [last] = rows;
  if (last === undefined) return "unknown";
  // The id was given out again. Each later checkpoint has a higher id than that of the recovery.
  if (!last.known) return "aborted";
  return last.exact ? "committed" : "unknown";
}
