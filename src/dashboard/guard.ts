/** What stands before everything under `/dashboard/api`: the page's own origin, and a session. */

import type { Next } from "hono";
import { getCookie } from "hono/cookie";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import { isOwnOrigin } from "../http/origin.ts";
import type { RequestContext } from "../http/request.ts";
import type { ProjectService } from "../projects/service.ts";
import type { Sessions } from "./sessions.ts";

/**
 * The cookie that holds a session. Cookies know no ports: two services on one host would sign each
 * other out if theirs had one name.
 */
export function sessionCookieName(c: RequestContext): string {
  const port = /:(\d+)$/.exec(c.req.header("host") ?? "")?.[1];
  return port === undefined ? "commonplace_session" : `commonplace_session_${port}`;
}

const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/**
 * Takes changes only from pages of this very host: every browser says where a change comes from.
 * The cookie alone would do (SameSite=Strict), were it not for other ports of the same host.
 */
export async function requireSameOrigin(c: RequestContext, next: Next): Promise<void> {
  if (
    c.req.method !== "GET" && c.req.method !== "HEAD" && !isSameOriginRequest(c.req.raw.headers)
  ) {
    throw new ApiError(
      "FOREIGN_ORIGIN",
      "Changes are taken from the dashboard's own pages only; a proxy must pass the Host header on",
    );
  }
  await next();
}

function isSameOriginRequest(headers: Headers): boolean {
  const [site, origin] = [headers.get("sec-fetch-site"), headers.get("origin")];
  if (site === null && origin === null) return false;
  if (site !== null && site !== "same-origin") return false;
  return origin === null || isOwnOrigin(headers, origin);
}

/** Keeps what is answered to a session out of caches, and from being taken for anything but data. */
export async function disableCaching(c: RequestContext, next: Next): Promise<void> {
  await next();
  c.res.headers.set("cache-control", "no-store");
  c.res.headers.set("x-content-type-options", "nosniff");
}

/** Lets only requests with an open session pass. */
export function requireSession(sessions: Sessions) {
  return async function checkSession(c: RequestContext, next: Next): Promise<void> {
    const token = getCookie(c, sessionCookieName(c));
    if (token === undefined || await sessions.expiry(token) === undefined) {
      throw notSignedInError(sessions);
    }
    await next();
  };
}

/** Tells a page that somebody has to sign in first, and how that can be done. */
export function notSignedInError(sessions: Sessions): ApiError {
  return new ApiError("NOT_SIGNED_IN", "Sign in first", {
    details: { password: sessions.acceptsPassword },
  });
}

/** The project of the path. @throws ApiError NOT_FOUND */
export async function requireProject(c: RequestContext, projects: ProjectService) {
  const id = c.req.param("project_id")!;
  const project = await projects.findById(id);
  if (project === undefined) throw new ApiError("NOT_FOUND", `No project "${id}"`);
  return project;
}

/** Makes whoever is signed in the holder of every permission on the project of the path. */
export function grantProjectAccess(projects: ProjectService) {
  return async function holdProject(c: RequestContext, next: Next): Promise<void> {
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
