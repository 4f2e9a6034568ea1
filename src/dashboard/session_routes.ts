/** The endpoint for signing in, checking the session and signing out. */

import type { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { readJson } from "../http/body.ts";
import { refuseOtherMethods } from "../http/mount.ts";
import { isSecure } from "../http/origin.ts";
import { type RequestContext, type RequestEnv, respond } from "../http/request.ts";
import { parseOrThrow } from "../http/execute_endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { FailureLimiter } from "../kernel/http/rate_limiter.ts";
import { LIMITS } from "../kernel/limits.ts";
import { notSignedInError, sessionCookieName } from "./guard.ts";
import { SESSION_TTL_SECONDS, type Sessions } from "./sessions.ts";

const SESSION_PATH = "/dashboard/api/session";

const SIGN_IN_BODY_LIMIT = { bytes: LIMITS.signInBodyBytes };

const credentialsBody = z.union([
  z.object({ token: z.string().min(1).max(200) }),
  z.object({ password: z.string().min(1).max(1_000) }),
], { error: "Expected a token or a password" });

export function sessionRoutes(
  app: Hono<RequestEnv>,
  { sessions, failures }: { sessions: Sessions; failures: FailureLimiter },
): void {
  app.post(SESSION_PATH, async (c) => {
    c.set("route", SESSION_PATH);
    const credentials = parseOrThrow(
      credentialsBody,
      await readJson(c.req.raw, SIGN_IN_BODY_LIMIT),
    );
    // A link can't be guessed (192 random bits), so it isn't limited: no one can lock out an owner
    // who has one.
    const limited = "password" in credentials && sessions.acceptsPassword;
    const address = c.env?.address ?? "";
    if (limited) {
      failures.requireAllowed(
        address,
        "Too many wrong passwords from this address; try again later, or use a sign-in link",
      );
      // Recorded before the check, so that parallel requests can't exceed the limit.
      failures.record(address);
    }
    const request = { address, requestId: c.get("requestId") };
    const session = await sessions.open(credentials, request);
    if (session === null) {
      if (limited) await sessions.recordFailure(request);
      throw new ApiError(
        "SIGN_IN_FAILED",
        "token" in credentials
          ? "This sign-in link was already used or has expired"
          : "Wrong password",
      );
    }
    if (limited) failures.clear(address);
    const { token, expires_at } = session;
    setCookie(c, sessionCookieName(c), token, { ...cookieOptions(c), maxAge: SESSION_TTL_SECONDS });
    return withSetCookie(c, respond(c, { status: 200, body: { expires_at } }));
  });

  app.get(SESSION_PATH, async (c) => {
    c.set("route", SESSION_PATH);
    const token = getCookie(c, sessionCookieName(c));
    const expires_at = token === undefined ? undefined : await sessions.expiry(token);
    if (expires_at === undefined) throw notSignedInError(sessions);
    return respond(c, { status: 200, body: { expires_at } });
  });

  app.delete(SESSION_PATH, async (c) => {
    c.set("route", SESSION_PATH);
    const token = getCookie(c, sessionCookieName(c));
    if (token !== undefined) await sessions.end(token);
    deleteCookie(c, sessionCookieName(c), cookieOptions(c));
    return withSetCookie(c, respond(c, { status: 204 }));
  });
  refuseOtherMethods(app, SESSION_PATH, ["GET", "POST", "DELETE"]);
}

/**
 * Returns the session cookie's options. It's `Secure` if the page is on HTTPS, by its origin or the
 * header of the proxy in front of the service.
 */
function cookieOptions(c: RequestContext) {
  const { headers } = c.req.raw;
  const secure = isSecure(headers) || (headers.get("origin") ?? "").startsWith("https:");
  return { path: "/dashboard/api", httpOnly: true, sameSite: "Strict", secure } as const;
}

/**
 * Copies cookies to a response. Hono's cookie helpers set them on the context, but our responses
 * are built without it.
 */
function withSetCookie(c: RequestContext, response: Response): Response {
  for (const cookie of c.res.headers.getSetCookie()) response.headers.append("set-cookie", cookie);
  return response;
}
