/** Connections as shown to the owner. */

import type { Permission } from "../contract/endpoint.ts";
import type { AuditEvent, ConnectionStatus, Ending } from "./states.ts";

/** A connection, without its tokens. */
export interface Connection {
  readonly id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uri: string;
  readonly project_id: string;
  readonly permissions: readonly Permission[];
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly resource: string;
  readonly status: ConnectionStatus;
  readonly ended_by: Ending | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly ended_at: string | null;
}

/** An entry of the audit log. */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** Name of the project, or null for an event of the whole service. */
  readonly project: string | null;
  readonly connection_id: string | null;
  readonly client_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly request_id: string | null;
  readonly at: string;
}

/** A client that asks for access. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Whether an owner has approved a connection of this client before. */
  readonly known: boolean;
}

/** Codes of OAuth errors, with their HTTP status (RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
export const OAUTH_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 403,
  temporarily_unavailable: 429,
  server_error: 500,
} as const;

export type OAuthErrorCode = keyof typeof OAUTH_ERROR_STATUS;

/** An error reported to a client in the format of OAuth. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";

  constructor(
    readonly code: OAuthErrorCode,
    message: string,
    /** Seconds before the client may retry. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}
