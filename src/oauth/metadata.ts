/**
 * Metadata that clients read to find out how to sign in (RFC 9728, RFC 8414). The paths are fixed by
 * these standards.
 */

import { PERMISSIONS } from "../contract/endpoint.ts";
import { RESOURCE_PATH } from "../connections/authorization_request.ts";

/** Paths of the OAuth endpoints. */
export const OAUTH_PATHS = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

/** Paths of the metadata of the protected resource. Clients try the one with `/mcp` first. */
export const RESOURCE_METADATA_PATHS = [
  `/.well-known/oauth-protected-resource${RESOURCE_PATH}`,
  "/.well-known/oauth-protected-resource",
] as const;

/** Paths of the metadata of the authorization server. Some clients know only the second one. */
export const SERVER_METADATA_PATHS = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
] as const;

const SCOPES = Object.keys(PERMISSIONS);

/** Returns the metadata of the MCP endpoint. */
export function resourceMetadata(base: string) {
  return {
    resource: base + RESOURCE_PATH,
    authorization_servers: [base],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Commonplace",
  };
}

/**
 * Returns the metadata of the authorization server.
 *
 * @param clientDocuments whether a client can identify itself by the URL of a document
 */
export function serverMetadata(base: string, clientDocuments: boolean) {
  return {
    issuer: base,
    authorization_endpoint: base + OAUTH_PATHS.authorize,
    token_endpoint: base + OAUTH_PATHS.token,
    registration_endpoint: base + OAUTH_PATHS.register,
    revocation_endpoint: base + OAUTH_PATHS.revoke,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: SCOPES,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments,
  };
}
