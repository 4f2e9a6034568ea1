/**
 * Connections: approved by the owner, used by a client with tokens, ended by either. Every change is
 * one unit of work with its entry in the audit log.
 */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import type { Permission } from "../contract/endpoint.ts";
import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import { LastUsed } from "../kernel/caches/last_used.ts";
import { ManagementError, type Principal } from "../projects/schema.ts";
import type { NumberedProject } from "../projects/service.ts";
import type { Reader, Tx } from "../store/store.ts";
import { NO_PROJECT } from "../tasks/maintenance.ts";
import { recordEvent } from "./audit.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { markClientUsed } from "./clients.ts";
import type { Connection } from "./schema.ts";
import { allowed, type Ending } from "./states.ts";
import { type ConnectionKey, isAccessToken, issueToken } from "./tokens.ts";

/** What the owner allows. */
export interface Grant {
  readonly project: NumberedProject;
  readonly permissions: readonly Permission[];
  /** Scopes that the connection can't leave. */
  readonly fixed: Scope;
}

interface ConnectionRow extends Omit<Connection, "permissions"> {
  readonly permissions: string;
}

interface AccessRow extends Readonly<Record<typeof SCOPE_KEYS[number], string | null>> {
  readonly keyId: string;
  readonly project: number;
  readonly projectId: string;
  readonly permissions: string;
}

/** Service of connections. */
export class ConnectionService {
  readonly #appContext: AppContext;
  readonly #lastUsed = new LastUsed();

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /** Approves a request and returns the code for the client. */
  async approve(request: AuthorizationRequest, grant: Grant, requestId: string): Promise<string> {
    const { store, clock, ids } = this.#appContext;
    const { client, redirectUri, codeChallenge, resource } = request;
    const { project, permissions, fixed } = grant;
    const now = clock.now();
    const key = { project: project.number, id: ids.next("conn") };
    // Besides the project, this changes the client.
    return await store.write("projects", async (tx) => {
      await markClientUsed(tx, client.id, timestamp(now));
      await tx.run(sql`insert into connections (project, id, client_id, client_name, redirect_uri,
          permissions, user_id, agent_id, run_id, resource, code_challenge, status, created_at)
        values (${key.project}, ${key.id}, ${client.id}, ${client.name}, ${redirectUri},
          ${JSON.stringify(permissions)}, ${fixed.user_id ?? null}, ${fixed.agent_id ?? null},
          ${fixed.run_id ?? null}, ${resource}, ${codeChallenge}, 'approved', ${timestamp(now)})`);
      await recordEvent(tx, {
        project: key.project,
        event: "connection_approved",
        connectionId: key.id,
        clientId: client.id,
        details: { client_name: client.name, redirect_uri: redirectUri, permissions, ...fixed },
        requestId,
        at: timestamp(now),
      });
      return await issueToken(tx, "code", key, permissions, now);
    });
  }

  /** Records that the owner refused a request. */
  async deny({ client, redirectUri }: AuthorizationRequest, requestId: string): Promise<void> {
    const { store, clock } = this.#appContext;
    await store.write("rows", (tx) =>
      recordEvent(tx, {
        project: NO_PROJECT,
        event: "connection_denied",
        clientId: client.id,
        details: { client_name: client.name, redirect_uri: redirectUri },
        requestId,
        at: timestamp(clock.now()),
      }));
  }

  /**
   * Returns the principal behind an access token, or undefined if the token is unknown or expired,
   * is for another resource, or its connection has ended.
   */
  async findPrincipal(token: string, resource: string): Promise<Principal | undefined> {
    if (!isAccessToken(token)) return undefined;
    const { store, clock } = this.#appContext;
    const row = await store.queryOne<AccessRow>(accessQuery(token, resource, clock.now()));
    if (row === undefined) return undefined;
    this.#lastUsed.record(row.keyId, clock.now());
    const { keyId, project, projectId, permissions } = row;
    const fixed = Object.fromEntries(
      SCOPE_KEYS.flatMap((key) => row[key] === null ? [] : [[key, row[key]]]),
    );
    return { keyId, project, projectId, permissions: JSON.parse(permissions), fixed };
  }

  /** Returns a project's connections, newest first. */
  async list(db: Reader, project: NumberedProject): Promise<Connection[]> {
    const rows = await db.all<ConnectionRow>(sql`select id, client_id, client_name, redirect_uri,
        ${project.id} as project_id, permissions, user_id, agent_id, run_id, resource, status,
        ended_by, created_at, last_used_at, ended_at
      from connections where project = ${project.number} order by id desc`);
    return rows.map((row) => ({ ...row, permissions: JSON.parse(row.permissions) }));
  }

  /**
   * Returns the number of a connection's project.
   *
   * @throws ManagementError if there is no such connection
   */
  async projectOf(db: Reader, id: string): Promise<number> {
    const found = await db.first<{ project: number }>(
      sql`select project from connections where id = ${id}`,
    );
    if (found === undefined) throw new ManagementError(`No connection "${id}"`);
    return found.project;
  }

  /**
   * Revokes a connection for the owner. Its tokens stop working at once. Returns false if it had
   * already ended.
   *
   * @param project limits the search to one project
   * @throws ManagementError if there is no such connection
   */
  async revoke(tx: Tx, id: string, project?: NumberedProject): Promise<boolean> {
    const inProject = project === undefined ? sql`true` : sql`project = ${project.number}`;
    const found = await tx.first<{ project: number }>(
      sql`select project from connections where ${inProject} and id = ${id}`,
    );
    if (found === undefined) throw new ManagementError(`No connection "${id}"`);
    return await endConnection(tx, { ...found, id }, "owner", this.#appContext.clock.now());
  }

  /** Writes last-used times changed since the previous call. */
  async flush(): Promise<void> {
    await this.#lastUsed.flush((due) =>
      this.#appContext.store.write("rows", async (tx) => {
        for (const [id, at] of due) {
          await tx.run(
            sql`update connections set last_used_at = ${timestamp(at)} where id = ${id}`,
          );
        }
      })
    );
  }
}

/**
 * Ends a connection and deletes its tokens. Returns false if it had already ended.
 *
 * @param ending decides whether the connection is revoked or has expired
 */
export async function endConnection(
  tx: Tx,
  { project, id }: ConnectionKey,
  ending: Ending,
  now: number,
  requestId?: string,
): Promise<boolean> {
  const transition = ending === "expiry" ? "expire" : "revoke";
  const status = transition === "expire" ? "expired" : "revoked";
  const row = await tx.first<{ client_id: string }>(sql`update connections
    set status = ${status}, ended_by = ${ending}, ended_at = ${timestamp(now)}
    where project = ${project} and id = ${id} and ${allowed(transition)} returning client_id`);
  if (row === undefined) return false;
  await tx.run(sql`delete from connection_tokens
    where project = ${project} and connection_id = ${id}`);
  await recordEvent(tx, {
    project,
    event: transition === "expire" ? "connection_expired" : "connection_revoked",
    connectionId: id,
    clientId: row.client_id,
    details: { ended_by: ending },
    requestId,
    at: timestamp(now),
  });
  return true;
}

function accessQuery(token: string, resource: string, now: number) {
  return sql`select c.id as "keyId", c.project, p.id as "projectId", t.permissions,
      c.user_id, c.agent_id, c.run_id
    from connection_tokens t
    join connections c on c.project = t.project and c.id = t.connection_id
    join projects p on p.number = c.project
    where t.hash = ${sha256(token)} and t.kind = 'access' and t.status = 'open'
      and t.expires_at > ${timestamp(now)} and c.status = 'active' and c.resource = ${resource}
      and p.deleted_at is null`;
}
