/**
 * The audit log: who signed in to the dashboard, who was given access to a project, and how it ended.
 * Never contains tokens or passwords.
 */

import sql from "sql-template-tag";
import type { Reader, Tx } from "../store/store.ts";
import type { AuditEntry } from "./schema.ts";
import type { AuditEvent } from "./states.ts";

/** An event to record. */
export interface AuditRecord {
  /** The project, or `NO_PROJECT` for events of the whole service. */
  readonly project: number;
  readonly event: AuditEvent;
  readonly connectionId?: string;
  readonly clientId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | undefined;
  readonly at: string;
}

/** Writes an entry in the same unit of work as the change that it describes. */
export async function recordEvent(tx: Tx, record: AuditRecord): Promise<void> {
  const { project, event, connectionId, clientId, details = {}, requestId, at } = record;
  await tx.run(sql`insert into audit_log
    (project, event, connection_id, client_id, details, request_id, at)
    values (${project}, ${event}, ${connectionId ?? null}, ${clientId ?? null},
      ${JSON.stringify(details)}, ${requestId ?? null}, ${at})`);
}

/**
 * Returns the latest entries, newest first.
 *
 * @param project leaves out the entries of others. `NO_PROJECT` is the service itself
 */
export async function listEvents(
  db: Reader,
  limit: number,
  project?: number,
): Promise<AuditEntry[]> {
  const inProject = project === undefined ? sql`true` : sql`a.project = ${project}`;
  const rows = await db.all<Omit<AuditEntry, "details"> & { readonly details: string }>(
    sql`select a.event, p.name as project, a.connection_id, a.client_id, a.details, a.request_id,
        a.at
      from audit_log a left join projects p on p.number = a.project
      where ${inProject} order by a.seq desc limit ${limit}`,
  );
  return rows.map((row): AuditEntry => ({ ...row, details: JSON.parse(row.details) }));
}

/** Deletes up to `count` entries from before a time and returns how many there were. */
export function deleteOldEvents(tx: Tx, before: string, count: number): Promise<number> {
  return tx.run(sql`delete from audit_log where seq in
    (select seq from audit_log where at < ${before} limit ${count})`);
}
