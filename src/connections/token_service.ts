/**
 * The token endpoint's rules: a code or a refresh token is exchanged for new tokens, once. A second
 * use revokes the connection, because then two parties have the same token (RFC 9700, 4.14).
 */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import type { Permission } from "../contract/endpoint.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Reader, Tx } from "../store/store.ts";
import { recordEvent } from "./audit.ts";
import { checkResource, parseScope } from "./authorization_request.ts";
import { OAuthError } from "./schema.ts";
import { endConnection } from "./service.ts";
import { allowed, TOKEN_KINDS, type TokenKind, TRANSITIONS } from "./states.ts";
import { findToken, issueToken, markTokenUsed, matchesChallenge, type TokenRow } from "./tokens.ts";

/** A code to exchange, with the proof that this client asked for it. */
export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: string | undefined;
}

/** A refresh token to exchange. */
export interface RefreshExchange {
  readonly refreshToken: string;
  readonly clientId: string;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/** New tokens, as sent to the client (RFC 6749, 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** The service's own URL and the id of the request, for checks and the audit log. */
export interface TokenCall {
  readonly base: string;
  readonly requestId: string;
}

/** Checks a token that may be used, and returns the permissions for the new access token. */
type Check = (row: TokenRow) => readonly Permission[];

const NAMES = { code: "code", refresh: "refresh token" } as const;

/** Exchanges and revokes tokens. */
export class TokenService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /**
   * Exchanges a code for tokens.
   *
   * @throws OAuthError invalid_grant if the code, the client, the redirect URI or the secret don't
   *   belong together
   */
  redeem(exchange: CodeExchange, call: TokenCall): Promise<TokenResponse> {
    return this.#exchange("code", exchange.code, exchange, call, (row) => {
      if (row.redirect_uri !== exchange.redirectUri) throw invalidGrant("redirect_uri differs");
      if (!matchesChallenge(exchange.verifier, row.code_challenge)) {
        throw invalidGrant("code_verifier does not match code_challenge");
      }
      return JSON.parse(row.permissions);
    });
  }

  /**
   * Exchanges a refresh token for new tokens.
   *
   * @throws OAuthError invalid_grant if the token can't be used, or invalid_scope if the client asks
   *   for more than the owner allowed
   */
  refresh(exchange: RefreshExchange, call: TokenCall): Promise<TokenResponse> {
    return this.#exchange("refresh", exchange.refreshToken, exchange, call, (row) => {
      const granted: readonly Permission[] = JSON.parse(row.permissions);
      const asked = parseScope(exchange.scope, granted);
      if (asked.every((permission) => granted.includes(permission))) return asked;
      throw new OAuthError("invalid_scope", `scope must be within ${granted.join(" ")}`);
    });
  }

  /** Ends the connection of a token. An unknown token is not an error (RFC 7009, 2.2). */
  async revoke(token: string, clientId: string, requestId: string): Promise<void> {
    const { store, clock } = this.#appContext;
    const kind = kindOf(token);
    const known = kind && await this.#find(kind, token);
    if (kind === undefined || known === undefined) return;
    await store.write(known.project, async (tx) => {
      const row = await findToken(tx, kind, token);
      if (row === undefined || row.client_id !== clientId) return;
      const key = { project: row.project, id: row.connection_id };
      await endConnection(tx, key, "client", clock.now(), requestId);
    });
  }

  async #exchange(
    kind: "code" | "refresh",
    token: string,
    exchange: { readonly clientId: string; readonly resource: string | undefined },
    { base, requestId }: TokenCall,
    check: Check,
  ): Promise<TokenResponse> {
    // Guesses end here, without a write.
    const known = await this.#find(kind, token);
    if (known === undefined) throw invalidGrant(`Unknown ${NAMES[kind]}`);
    const outcome = await this.#appContext.store.write(known.project, async (tx) => {
      const row = await findToken(tx, kind, token);
      if (row === undefined) return invalidGrant(`Unknown ${NAMES[kind]}`);
      const refusal = await this.#refusal(tx, kind, row, exchange.clientId, requestId);
      if (refusal !== null) return refusal;
      const resource = checkResource(exchange.resource, base);
      if (resource !== row.resource) {
        throw new OAuthError("invalid_target", `The ${NAMES[kind]} is for ${row.resource}`);
      }
      const permissions = check(row);
      await markTokenUsed(tx, row, token);
      return await this.#issue(tx, kind, row, permissions, requestId);
    });
    // Thrown only here: inside the unit of work, an error would undo the revocation.
    if (outcome instanceof OAuthError) throw outcome;
    return outcome;
  }

  /** Returns why a token can't be used, after ending its connection if it's used twice. */
  async #refusal(
    tx: Tx,
    kind: "code" | "refresh",
    row: TokenRow,
    clientId: string,
    requestId: string,
  ): Promise<OAuthError | null> {
    const now = this.#appContext.clock.now();
    if (row.token_status === "used") {
      const key = { project: row.project, id: row.connection_id };
      await endConnection(tx, key, TOKEN_KINDS[kind].reuse, now, requestId);
      return invalidGrant(`The ${NAMES[kind]} was already used; the connection is revoked`);
    }
    if (row.client_id !== clientId) {
      return invalidGrant(`The ${NAMES[kind]} belongs to another client`);
    }
    if (row.expires_at <= timestamp(now)) return invalidGrant(`The ${NAMES[kind]} has expired`);
    return null;
  }

  async #issue(
    tx: Tx,
    kind: "code" | "refresh",
    row: TokenRow,
    permissions: readonly Permission[],
    requestId: string,
  ): Promise<TokenResponse> {
    const now = this.#appContext.clock.now();
    const key = { project: row.project, id: row.connection_id };
    if (kind === "code") {
      await tx.run(sql`update connections set status = ${TRANSITIONS.redeem.to}
        where project = ${key.project} and id = ${key.id} and ${allowed("redeem")}`);
    }
    await recordEvent(tx, {
      project: key.project,
      event: kind === "code" ? "connection_active" : "tokens_refreshed",
      connectionId: key.id,
      clientId: row.client_id,
      requestId,
      at: timestamp(now),
    });
    return {
      access_token: await issueToken(tx, "access", key, permissions, now),
      token_type: "Bearer",
      expires_in: TOKEN_KINDS.access.ttlMs / 1_000,
      refresh_token: await issueToken(tx, "refresh", key, JSON.parse(row.permissions), now),
      scope: permissions.join(" "),
    };
  }

  #find(kind: TokenKind, token: string): Promise<TokenRow | undefined> {
    return this.#appContext.store.read((db: Reader) => findToken(db, kind, token));
  }
}

function kindOf(token: string): TokenKind | undefined {
  const kinds = Object.keys(TOKEN_KINDS) as TokenKind[];
  return kinds.find((kind) => token.startsWith(TOKEN_KINDS[kind].prefix));
}

function invalidGrant(message: string): OAuthError {
  return new OAuthError("invalid_grant", message);
}
