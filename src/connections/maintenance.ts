/** Hourly cleanup of connections, their tokens, unused registrations and the audit log. */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { DAY_MS, timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Tx } from "../store/store.ts";
import { deleteInBatches, type MaintenanceJob } from "../tasks/maintenance.ts";
import { deleteOldEvents } from "./audit.ts";
import type { ClientRegistry } from "./clients.ts";
import { endConnection } from "./service.ts";
import type { ConnectionKey } from "./tokens.ts";

/** Returns the jobs. Expired tokens go first: a connection without tokens has expired. */
export function connectionJobs(
  { clock }: Pick<AppContext, "clock">,
  clients: ClientRegistry,
): MaintenanceJob[] {
  const ago = (days: number) => timestamp(clock.now() - days * DAY_MS);
  return [
    {
      name: "connection_tokens",
      run: (context) =>
        deleteInBatches(context, (tx, count) => deleteExpiredTokens(tx, clock.now(), count)),
    },
    {
      name: "expired_connections",
      run: (context) =>
        deleteInBatches(context, (tx, count) => endUnusable(tx, clock.now(), count)),
    },
    {
      name: "ended_connections",
      run: (context) =>
        deleteInBatches(
          context,
          (tx, count) =>
            tx.run(sql`delete from connections where (project, id) in (select project, id
            from connections where ended_at < ${ago(LIMITS.endedConnectionDays)} limit ${count})`),
        ),
    },
    {
      name: "unused_clients",
      run: (context) => deleteInBatches(context, (tx, count) => clients.deleteUnused(tx, count)),
    },
    {
      name: "audit_log",
      run: (context) =>
        deleteInBatches(context, (tx, count) => deleteOldEvents(tx, ago(LIMITS.auditDays), count)),
    },
  ];
}

function deleteExpiredTokens(tx: Tx, now: number, count: number): Promise<number> {
  return tx.run(sql`delete from connection_tokens where (project, connection_id, hash) in
    (select project, connection_id, hash from connection_tokens
     where expires_at <= ${timestamp(now)} limit ${count})`);
}

/** Ends up to `count` connections that have no token left, and returns how many there were. */
async function endUnusable(tx: Tx, now: number, count: number): Promise<number> {
  const rows = await tx.all<ConnectionKey>(sql`select project, id from connections c
    where status in ('approved', 'active') and not exists (select 1 from connection_tokens t
      where t.project = c.project and t.connection_id = c.id) limit ${count}`);
  for (const key of rows) await endConnection(tx, key, "expiry", now);
  return rows.length;
}
