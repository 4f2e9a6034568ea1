/** The key of a request: whose it is, and what it may do. */

import type { Next } from "hono";
import type { Permission } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { FailureLimit, Failures } from "../kernel/failures.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { KeyService } from "../projects/keys.ts";
import type { KeyHolder } from "../projects/schema.ts";
import type { RequestContext } from "./request.ts";

/** What authentication needs. HTTP and MCP share it, and count failures together. */
export interface KeyDeps {
  readonly keys: KeyService;
  readonly failedKeys: Failures;
}

/** How often an address may bring a key that fails. */
export const FAILED_KEYS: FailureLimit = { most: LIMITS.failedKeysPerMinute, windowMs: 60_000 };

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
    const holder = key === undefined ? undefined : await keys.holder(key);
    if (holder === undefined) {
      if (offered !== "") {
        const address = c.env?.address ?? "";
        failedKeys.requireAllowed(
          address,
          "Too many requests with an invalid API key; wait a while",
        );
        failedKeys.note(address);
      }
      throw invalidKey();
    }
    c.set("holder", holder);
    await next();
  };
}

/** @throws ApiError PERMISSION_DENIED */
export function requirePermission(
  holder: Pick<KeyHolder, "permissions">,
  required: Permission,
): void {
  if (holder.permissions.includes(required)) return;
  throw new ApiError("PERMISSION_DENIED", `The API key lacks the permission ${required}`, {
    details: { required },
  });
}

/** For a key that opens nothing, or nothing any more. */
export function invalidKey(): ApiError {
  return new ApiError("INVALID_API_KEY", "API key invalid");
}
