/** Authentication: maps a request's key to its project and permissions. */

import type { Next } from "hono";
import type { Permission } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { FailureLimit, FailureLimiter } from "../kernel/http/rate_limiter.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { KeyService } from "../projects/keys.ts";
import type { Principal } from "../projects/schema.ts";
import type { RequestContext } from "./request.ts";

/** Dependencies for authentication. Shared by HTTP and MCP, so failures count across both. */
export interface KeyDeps {
  readonly keys: KeyService;
  readonly failedKeys: FailureLimiter;
}

/** How an endpoint's authentication differs from the API's. */
export interface AuthenticateOptions {
  /** Finds the key. Defaults to the `Authorization: Bearer` header. */
  readonly readKey?: KeyReader;
  /** Returns the principal behind something that isn't a key. */
  readonly findOther?: (c: RequestContext, token: string) => Promise<Principal | undefined>;
  /**
   * Checks whether something is a token that can't be guessed. Invalid ones aren't limited: their
   * client refreshes them once it gets INVALID_API_KEY.
   */
  readonly isUnguessable?: (token: string) => boolean;
  /** Returns the `WWW-Authenticate` header for a refused request. */
  readonly challenge?: (c: RequestContext, hasToken: boolean) => string | undefined;
}

/** How often an address can send an invalid key. */
export const FAILED_KEY_LIMIT: FailureLimit = {
  maxFailures: LIMITS.failedKeysPerMinute,
  windowMs: 60_000,
};

/**
 * Returns the API key in a request's headers: undefined if the request has no credentials, or an
 * empty string if they aren't a key.
 */
export type KeyReader = (headers: Headers) => string | undefined;

function readBearerKey(headers: Headers): string | undefined {
  const authorization = headers.get("authorization") ?? "";
  return authorization === "" ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

/**
 * Returns middleware that lets a request through only if its key is valid. Keys in the query string
 * are never read.
 *
 * An address that sends too many invalid keys gets RATE_LIMITED, but a valid key always gets
 * through. Behind a proxy, all clients share an address, and a single client mustn't be able to
 * lock out the others.
 */
export function authenticate({ keys, failedKeys }: KeyDeps, options: AuthenticateOptions = {}) {
  const { readKey = readBearerKey, findOther, isUnguessable, challenge } = options;
  return async function authenticateRequest(c: RequestContext, next: Next): Promise<void> {
    const key = readKey(c.req.raw.headers);
    const principal = key ? await keys.findPrincipal(key) ?? await findOther?.(c, key) : undefined;
    if (principal === undefined) {
      if (key !== undefined && !isUnguessable?.(key)) {
        const address = c.env?.address ?? "";
        failedKeys.requireAllowed(
          address,
          "Too many requests with an invalid API key; retry later",
        );
        failedKeys.record(address);
      }
      throw invalidKey(challenge?.(c, key !== undefined));
    }
    c.set("principal", principal);
    await next();
  };
}

/**
 * Makes sure that a principal has a permission.
 *
 * @throws ApiError PERMISSION_DENIED if it doesn't
 */
export function requirePermission(
  principal: Pick<Principal, "permissions">,
  required: Permission,
): void {
  if (principal.permissions.includes(required)) return;
  throw new ApiError("PERMISSION_DENIED", `The API key doesn't have the permission ${required}`, {
    details: { required },
  });
}

/** Returns the error for a missing, unknown or revoked key. */
export function invalidKey(challenge?: string): ApiError {
  // The exact text is part of the contract.
  return new ApiError("INVALID_API_KEY", "API key invalid", { challenge });
}
