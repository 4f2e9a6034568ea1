/**
 * Access tokens at `/mcp`, next to API keys, and the headers that lead a client to the sign-in (RFC
 * 6750, 3; RFC 9728, 5.1).
 */

import { RESOURCE_PATH } from "../connections/authorization_request.ts";
import type { ConnectionService } from "../connections/service.ts";
import { isAccessToken } from "../connections/tokens.ts";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import type { AuthenticateOptions } from "../http/authenticate.ts";
import type { BaseUrl } from "../http/base_url.ts";
import type { RequestContext } from "../http/request.ts";
import { ApiError } from "../kernel/errors.ts";

const ALL_SCOPES = Object.keys(PERMISSIONS).join(" ");

/** Dependencies for sign-in. */
export interface SignInDeps {
  readonly connections: ConnectionService;
  readonly baseUrl: BaseUrl;
}

/** Returns how `/mcp` accepts access tokens, and what it reports to clients that have none. */
export function signInOptions({ connections, baseUrl }: SignInDeps): AuthenticateOptions {
  return {
    async findOther(c, token) {
      const base = baseUrl(c.req.raw.headers);
      return base === null
        ? undefined
        : await connections.findPrincipal(token, base + RESOURCE_PATH);
    },
    isUnguessable: isAccessToken,
    challenge(c, hasToken) {
      const base = baseUrl(c.req.raw.headers);
      if (base === null) return undefined;
      return challenge(base, {
        ...(hasToken ? { error: "invalid_token" } : {}),
        scope: ALL_SCOPES,
      });
    },
  };
}

/**
 * Checks that a connection has the permission that a message requires. A client can ask the owner
 * for a missing permission, so it gets a challenge. Keys can't, so for them the error is the result
 * of the call.
 *
 * @throws {ApiError} PERMISSION_DENIED with a challenge
 */
export function checkConnection(
  c: RequestContext,
  message: unknown,
  requiredPermission: (message: unknown) => Permission | undefined,
  baseUrl: BaseUrl,
): void {
  const principal = c.get("principal")!;
  const base = baseUrl(c.req.raw.headers);
  if (principal.fixed === undefined || base === null) return;
  const missing = [message].flat().map(requiredPermission)
    .find((required) => required !== undefined && !principal.permissions.includes(required));
  if (missing === undefined) return;
  throw new ApiError(
    "PERMISSION_DENIED",
    `The connection doesn't have the permission ${missing}`,
    {
      details: { required: missing },
      challenge: challenge(base, {
        error: "insufficient_scope",
        scope: scopeWith(principal.permissions, missing),
      }),
    },
  );
}

/**
 * Returns the scope to ask for: the permissions that the connection has, and the missing one. Clients
 * that ask for exactly this scope would otherwise lose the others.
 */
function scopeWith(permissions: readonly Permission[], missing: Permission): string {
  const wanted = new Set([...permissions, missing]);
  return (Object.keys(PERMISSIONS) as Permission[]).filter((each) => wanted.has(each)).join(" ");
}

function challenge(base: string, parameters: Readonly<Record<string, string>>): string {
  const all = {
    resource_metadata: `${base}/.well-known/oauth-protected-resource${RESOURCE_PATH}`,
    ...parameters,
  };
  return `Bearer ${Object.entries(all).map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}
