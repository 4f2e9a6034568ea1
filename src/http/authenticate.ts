/** The key of a request: whose it is, and what it may do. */

import type { Next } from "hono";
import type { Permission } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { FailureLimit, FailureLimiter } from "../kernel/rate_limiter.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { KeyService } from "../projects/keys.ts";
import type { Principal } from "../projects/schema.ts";
import type { RequestContext } from "./request.ts";

/** What authentication needs. HTTP and MCP share it, and count failures together. */
export interface KeyDeps {
  readonly keys: KeyService;
  readonly failedKeys: FailureLimiter;
}

/** How often an address may bring a key that fails. */
export const FAILED_KEY_LIMIT: FailureLimit = {
  maxFailures: LIMITS.failedKeysPerMinute,
  windowMs: 60_000,
};

/**
 * Lets only requests with a known key pass. Keys in a query string are never read.
 *
 * Whoever brings keys that fail too often is told to wait, but a key that is right always passes:
 * behind a proxy all clients have one address, and none of them can lock out the others.
 */
export function authenticate({ keys, failedKeys }: KeyDeps) {
  return async function authenticateRequest(c: RequestContext, next: Next): Promise<void> {
    const offered = c.req.header("authorization") ?? "";
    const key = /^Bearer +(\S+) *$/i.exec(offered)?.[1];
    const principal = key === undefined ? undefined : await keys.findPrincipal(key);
    if (principal === undefined) {
      if (offered !== "") {
        const address = c.env?.address ?? "";
        failedKeys.requireAllowed(
          address,
          "Too many requests with an invalid API key; wait a while",
        );
        failedKeys.record(address);
      }
      throw invalidKey();
    }
    c.set("principal", principal);
    await next();
  };
}

/** @throws ApiError PERMISSION_DENIED */
export function requirePermission(
  principal: Pick<Principal, "permissions">,
  required: Permission,
): void {
  if (principal.permissions.includes(required)) return;
  throw new ApiError("PERMISSION_DENIED", `The API key lacks the permission ${required}`, {
    details: { required },
  });
}

/** For a key that opens nothing, or nothing any more. */
export function invalidKey(): ApiError {
  return new ApiError("INVALID_API_KEY", "API key invalid");
}
