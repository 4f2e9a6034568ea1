/**
 * States of connections and their tokens.
 *
 * A connection begins as `approved`, when the owner allows a client on the consent page. The client
 * gets a code. Redeeming it makes the connection `active` and returns an access token and a refresh
 * token. The connection ends as `revoked` (by the owner, by the client, or because a code or a
 * refresh token was used twice), or as `expired` (the code wasn't redeemed in time, or the client
 * didn't refresh for as long as a refresh token is valid).
 *
 * A token is `open` until it expires. A code and a refresh token work once: the first use makes
 * them `used`. A second use means that someone else has a copy, so it revokes the connection.
 */

import { raw, type Sql } from "sql-template-tag";
import { DAY_MS, HOUR_MS } from "../kernel/clock.ts";

/** Every status of a connection. */
export const CONNECTION_STATUSES = ["approved", "active", "revoked", "expired"] as const;

export type ConnectionStatus = typeof CONNECTION_STATUSES[number];

/** Every transition of a connection, with the statuses before it and the status after it. */
export const TRANSITIONS = {
  /** The client has redeemed its code. */
  redeem: { from: ["approved"], to: "active" },
  /** The owner or the client ends it, or a code or refresh token was used twice. */
  revoke: { from: ["approved", "active"], to: "revoked" },
  /** None of its tokens can be used any more. */
  expire: { from: ["approved", "active"], to: "expired" },
} as const satisfies Record<
  string,
  { from: readonly ConnectionStatus[]; to: ConnectionStatus }
>;

export type Transition = keyof typeof TRANSITIONS;

/** What ended a connection. */
export const ENDINGS = ["owner", "client", "code_reuse", "refresh_reuse", "expiry"] as const;

export type Ending = typeof ENDINGS[number];

/** Kinds of tokens: how they begin, how long they're valid, and whether they work only once. */
export const TOKEN_KINDS = {
  code: { prefix: "cpc_", ttlMs: 60_000, once: true, reuse: "code_reuse" },
  access: { prefix: "cpt_", ttlMs: HOUR_MS, once: false, reuse: null },
  refresh: { prefix: "cpr_", ttlMs: 90 * DAY_MS, once: true, reuse: "refresh_reuse" },
} as const satisfies Record<
  string,
  { prefix: string; ttlMs: number; once: boolean; reuse: Ending | null }
>;

export type TokenKind = keyof typeof TOKEN_KINDS;

/** Events in the audit log. The first three belong to no project. */
const AUDIT_EVENTS = [
  "signed_in",
  "sign_in_failed",
  "connection_denied",
  "connection_approved",
  "connection_active",
  "tokens_refreshed",
  "connection_revoked",
  "connection_expired",
] as const;

export type AuditEvent = typeof AUDIT_EVENTS[number];

/** Returns the SQL condition for a transition of a connection to be allowed. */
export function allowed(transition: Transition): Sql {
  const { from } = TRANSITIONS[transition];
  return raw(`status in (${from.map((status) => `'${status}'`).join(", ")})`);
}
