/**
 * Middleware in front of every endpoint under `/dashboard/api`. Checks the origin and the session.
 */

import type { Next } from "hono";
import { getCookie } from "hono/cookie";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { BaseUrl } from "../http/base_url.ts";
import { isOwnOrigin } from "../http/origin.ts";
import type { RequestContext } from "../http/request.ts";
import type { ProjectService } from "../projects/service.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Returns the name of the session cookie. Includes the port, since all ports of a host share their
 * cookies: with a single name, two services on the same host would sign each other out.
 */
export function sessionCookieName(c: RequestContext): string {
  const port = /:(\d+)$/.exec(c.req.header("host") ?? "")?.[1];
  return port === undefined ? "commonplace_session" : `commonplace_session_${port}`;
}

const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/**
 * Returns middleware that rejects changes that don't come from a page on this host, going by the
 * headers browsers send. The cookie (SameSite=Strict) isn't enough because pages on other ports of
 * the same host count as the same site.
 *
 * It throws the ApiError FOREIGN_ORIGIN if the request comes from a different origin or doesn't name
 * one.
 *
 * @param baseUrl the service's own URL; its pages are accepted even if a proxy changes the host
 */
export function requireSameOrigin(baseUrl: BaseUrl) {
  return async function checkOrigin(c: RequestContext, next: Next): Promise<void> {
    const { method, raw: { headers } } = c.req;
    const isChange = method !== "GET" && method !== "HEAD";
    if (isChange && !isSameOriginRequest(headers, baseUrl(headers))) {
      throw new ApiError(
        "FOREIGN_ORIGIN",
        "Changes are accepted only from the dashboard's own pages; set --public-url to its address, " +
          "or forward the Host header in the proxy",
      );
    }
    await next();
  };
}

function isSameOriginRequest(headers: Headers, base: string | null): boolean {
  const [site, origin] = [headers.get("sec-fetch-site"), headers.get("origin")];
  if (site === null && origin === null) return false;
  if (site !== null && site !== "same-origin") return false;
  return origin === null || origin === base || isOwnOrigin(headers, origin);
}

/** Keeps responses out of caches and stops browsers from guessing a different content type. */
export async function disableCaching(c: RequestContext, next: Next): Promise<void> {
  await next();
  c.res.headers.set("cache-control", "no-store");
  c.res.headers.set("x-content-type-options", "nosniff");
}

/** Returns middleware that rejects requests without an open session. */
export function requireSession(sessions: Sessions) {
  return async function checkSession(c: RequestContext, next: Next): Promise<void> {
    const token = getCookie(c, sessionCookieName(c));
    if (token === undefined || await sessions.expiry(token) === undefined) {
      throw notSignedInError(sessions);
    }
    await next();
  };
}

/**
 * Returns the error for a request without a session. Its details say whether a password is
 * accepted.
 */
export function notSignedInError(sessions: Sessions): ApiError {
  return new ApiError("NOT_SIGNED_IN", "Sign in first", {
    details: { password: sessions.acceptsPassword },
  });
}

/**
 * Returns the project named in the path.
 *
 * @throws ApiError NOT_FOUND if the project doesn't exist
 */
export async function requireProject(c: RequestContext, projects: ProjectService) {
  const id = c.req.param("project_id")!;
  const project = await projects.findById(id);
  if (project === undefined) throw new ApiError("NOT_FOUND", `No project "${id}"`);
  return project;
}

/** Returns middleware that gives a signed-in user all permissions on the project in the path. */
export function grantProjectAccess(projects: ProjectService) {
  return async function grantAccess(c: RequestContext, next: Next): Promise<void> {
    const project = await requireProject(c, projects);
    c.set("principal", {
      keyId: "dashboard",
      project: project.number,
      projectId: project.id,
      permissions: ALL_PERMISSIONS,
    });
    await next();
  };
}
