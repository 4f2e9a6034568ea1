/**
 * Finds out whether a transaction was committed if the response to its commit was lost.
 *
 * The server knows the outcome of each id. But after a crash it gives out an id again if nothing
 * about its transaction was on disk. So once the server has been down, "committed" can be about
 * another transaction. The first id that was given out after the recovery shows which one it is.
 */

import sql from "sql-template-tag";
import type { PgConnection, ServerRun } from "./connection.ts";

/** A transaction that was begun. */
export interface Transaction {
  /** Its id, as `xid8`. */
  readonly id: string;
  readonly serverRun: ServerRun;
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
  const isSame = isSameRun(connection.serverRun, serverRun);
  const outcome = isSame === null
    ? "unknown"
    : isSame
    ? "committed"
    : await outcomeAfterRecovery(connection, id).catch(() => "unknown" as const);
  if (outcome === "committed") await waitForStandby(connection);
  return outcome;
}

/** Returns whether two runs of a server are the same, or null if that can't be known. */
export function isSameRun(a: ServerRun, b: ServerRun): boolean | null {
  if (a.start !== b.start) return false;
  // Shortly after its start, the server may not have listed its processes yet.
  if (a.processes.size === 0 || b.processes.size === 0) return null;
  return !a.processes.isDisjointFrom(b.processes);
}

/**
 * Waits until a synchronous standby has everything that was committed. If a commit is interrupted
 * while it waits for its standby, it's committed all the same, and a failover would lose it.
 */
async function waitForStandby(connection: PgConnection): Promise<void> {
  // The commit of a transaction that has written to the log, in its order.
  await connection.exec("select pg_logical_emit_message(true, 'commonplace', '')");
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
 *
 * A standby that was promoted makes its first checkpoint later. Until then, the last one is older
 * than the present timeline.
 */
async function outcomeAfterRecovery(
  connection: PgConnection,
  id: string,
): Promise<TransactionOutcome> {
  const { rows } = await connection.query<{ current: number; known: number; exact: number }>(sql`
    select timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as current,
      next > ${id}::text::bigint as known, exact
    from (select lpad(upper(to_hex(timeline_id)), 8, '0') as timeline,
        cast(split_part(next_xid, ':', 1) as bigint) * 4294967296
          + cast(split_part(next_xid, ':', 2) as bigint) as next,
        redo_lsn = checkpoint_lsn and current_setting('wal_level') <> 'minimal' as exact
      from pg_control_checkpoint()) as last`);
  const [last] = rows;
  if (last === undefined || !last.current) return "unknown";
  // The id was given out again. Each later checkpoint has a higher id than that of the recovery.
  if (!last.known) return "aborted";
  return last.exact ? "committed" : "unknown";
}
