/** Tokens of a connection. They're random, and only their hashes are stored. */

import { Buffer } from "node:buffer";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import sql from "sql-template-tag";
import type { Permission } from "../contract/endpoint.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import type { Reader, Tx } from "../store/store.ts";
import { TOKEN_KINDS, type TokenKind } from "./states.ts";

/** The connection that tokens belong to. */
export interface ConnectionKey {
  readonly project: number;
  readonly id: string;
}

/** A token and its connection, as stored. */
export interface TokenRow {
  readonly project: number;
  readonly connection_id: string;
  readonly token_status: "open" | "used";
  readonly expires_at: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly resource: string;
  readonly permissions: string;
  readonly status: string;
}

/** Creates a token for a connection and returns it. */
export async function issueToken(
  tx: Tx,
  kind: TokenKind,
  { project, id }: ConnectionKey,
  permissions: readonly Permission[],
  now: number,
): Promise<string> {
  const { prefix, ttlMs } = TOKEN_KINDS[kind];
  const token = prefix + randomBytes(32).toString("base64url");
  await tx.run(sql`insert into connection_tokens
    (project, connection_id, hash, kind, status, permissions, created_at, expires_at)
    values (${project}, ${id}, ${sha256(token)}, ${kind}, 'open', ${JSON.stringify(permissions)},
      ${timestamp(now)}, ${timestamp(now + ttlMs)})`);
  return token;
}

/**
 * Returns a token, or undefined if it's unknown or its project was deleted. Looks it up by its hash,
 * so timing can reveal something about a hash but nothing about a token.
 */
export function findToken(
  db: Reader,
  kind: TokenKind,
  token: string,
): Promise<TokenRow | undefined> {
  return db.first<TokenRow>(sql`select t.project, t.connection_id, t.status as token_status,
      t.expires_at, t.permissions, c.client_id, c.redirect_uri, c.code_challenge, c.resource,
      c.status
    from connection_tokens t
    join connections c on c.project = t.project and c.id = t.connection_id
    join projects p on p.number = t.project
    where t.hash = ${sha256(token)} and t.kind = ${kind} and p.deleted_at is null`);
}

/** Checks whether a text has the form of an access token. */
export function isAccessToken(text: string): boolean {
  return text.startsWith(TOKEN_KINDS.access.prefix);
}

/** Marks a token as used. */
export async function markTokenUsed(tx: Tx, row: TokenRow, token: string): Promise<void> {
  await tx.run(sql`update connection_tokens set status = 'used'
    where project = ${row.project} and connection_id = ${row.connection_id}
      and hash = ${sha256(token)}`);
}

/** Checks a client's secret against the challenge that it sent with its request (RFC 7636, 4.6). */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const digest = createHash("sha256").update(verifier).digest("base64url");
  return digest.length === challenge.length &&
    timingSafeEqual(Buffer.from(digest), Buffer.from(challenge));
}
