/** The key of a request: whose it is, and what it may do. */

import type { Next } from "hono";
import type { Permission } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { KeyService } from "../projects/keys.ts";
import type { KeyHolder } from "../projects/schema.ts";
import type { RequestContext } from "./request.ts";

/** Lets only requests with a known key pass. Keys in a query string are never read. */
export function authenticate(keys: KeyService) {
  return async function authenticateRequest(c: RequestContext, next: Next): Promise<void> {
    const key = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const holder = key === undefined ? undefined : await keys.holder(key);
    if (holder === undefined) throw new ApiError("INVALID_API_KEY", "API key invalid");
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
