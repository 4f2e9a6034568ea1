/**
 * Mounts sign-in for MCP: metadata, registration, authorization and tokens. Nothing is served unless
 * the service knows its own URL (`http/base_url.ts`).
 */

import type { Hono } from "hono";
import { type ClientRegistry, parseClientMetadata } from "../connections/clients.ts";
import { OAuthError, type OAuthErrorCode } from "../connections/schema.ts";
import type { Mount } from "../http/app.ts";
import type { BaseUrl } from "../http/base_url.ts";
import { readJson } from "../http/body.ts";
import { methodNotAllowed } from "../http/mount.ts";
import type { RequestContext, RequestEnv } from "../http/request.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { FailureLimiter } from "../kernel/http/rate_limiter.ts";
import { serveAuthorize } from "./authorize.ts";
import {
  OAUTH_PATHS,
  RESOURCE_METADATA_PATHS,
  resourceMetadata,
  SERVER_METADATA_PATHS,
  serverMetadata,
} from "./metadata.ts";
import { respondError, respondJson, respondMetadata, respondPreflight } from "./responses.ts";
import { exchangeToken, revokeToken, type TokenDeps } from "./token.ts";

/** What sign-in needs. */
export interface OAuthDeps extends TokenDeps {
  readonly clock: Clock;
  readonly baseUrl: BaseUrl;
}

const REGISTRATION_LIMIT = { bytes: LIMITS.clientRegistrationBodyBytes };

/** Errors that don't count as failures: on these, a client registers or signs in again. */
const UNCOUNTED_ERRORS: readonly OAuthErrorCode[] = ["invalid_client", "invalid_grant"];

type Handler = (c: RequestContext, base: string) => Promise<Response> | Response;

/** A path, its only method, and whether pages of other sites can call it. */
interface Route {
  readonly method: "GET" | "POST";
  readonly crossOrigin: boolean;
  readonly handle: Handler;
}

/** Returns a function that adds the routes under `/.well-known` and `/oauth`. */
export function mountOAuth(deps: OAuthDeps): Mount {
  const routes = routeTable(deps);
  return (app) => {
    for (const [path, route] of Object.entries(routes)) addRoute(app, path, route, deps.baseUrl);
  };
}

function routeTable(deps: OAuthDeps): Readonly<Record<string, Route>> {
  const registrations = new FailureLimiter(deps.clock, {
    maxFailures: LIMITS.clientRegistrationsPerHour,
    windowMs: HOUR_MS,
  });
  const failedTokens = new FailureLimiter(deps.clock, {
    maxFailures: LIMITS.failedTokensPerMinute,
    windowMs: 60_000,
  });
  const metadata = (paths: readonly string[], body: (base: string) => unknown) =>
    Object.fromEntries(paths.map((path): [string, Route] => [path, {
      method: "GET",
      crossOrigin: true,
      handle: (c, base) => respondMetadata(c, body(base)),
    }]));
  return {
    ...metadata(RESOURCE_METADATA_PATHS, resourceMetadata),
    ...metadata(SERVER_METADATA_PATHS, (base) => serverMetadata(base, deps.clientDocuments)),
    [OAUTH_PATHS.authorize]: {
      method: "GET",
      crossOrigin: false,
      handle: (c, base) => serveAuthorize(c, base, deps),
    },
    [OAUTH_PATHS.register]: {
      method: "POST",
      crossOrigin: true,
      handle: (c) => register(c, deps.clients, registrations),
    },
    [OAUTH_PATHS.token]: {
      method: "POST",
      crossOrigin: true,
      handle: async (c, base) =>
        respondJson(
          c,
          200,
          await limitFailures(c, failedTokens, () => exchangeToken(c, base, deps)),
        ),
    },
    [OAUTH_PATHS.revoke]: {
      method: "POST",
      crossOrigin: false,
      handle: async (c) => {
        await revokeToken(c, deps);
        return respondJson(c, 200, {});
      },
    },
  };
}

function addRoute(app: Hono<RequestEnv>, path: string, route: Route, baseUrl: BaseUrl): void {
  app.all(path, async function serveOAuth(c: RequestContext): Promise<Response> {
    c.set("route", path);
    const base = baseUrl(c.req.raw.headers);
    if (base === null) {
      throw new ApiError("NOT_FOUND", "Sign-in is off; set --public-url to the service's own URL");
    }
    const allowed: readonly string[] = route.method === "GET" ? ["GET", "HEAD"] : ["POST"];
    if (route.crossOrigin && c.req.method === "OPTIONS") {
      return respondPreflight(c, allowed.join(", "));
    }
    if (!allowed.includes(c.req.method)) throw methodNotAllowed(c.req.method, allowed);
    try {
      return await route.handle(c, base);
    } catch (error) {
      if (error instanceof OAuthError) return respondError(c, error);
      throw error;
    }
  });
}

/** Registers a client (RFC 7591). */
async function register(
  c: RequestContext,
  clients: ClientRegistry,
  registrations: FailureLimiter,
): Promise<Response> {
  const address = c.env?.address ?? "";
  const isOpen = await clients.isRegistrationOpen();
  const metadata = parseClientMetadata(await readJson(c.req.raw, REGISTRATION_LIMIT));
  // Behind a proxy that isn't trusted, strangers share the client's address. Their registrations must
  // not keep the owner from connecting it. Nothing is awaited between the check and the count, or
  // requests that arrive together would exceed the limit.
  if (!isOpen) {
    requireAllowed(
      registrations,
      address,
      "Too many registrations from this address; open the page Connections of the dashboard, then " +
        "retry",
    );
  }
  registrations.record(address);
  const client = await clients.register(metadata);
  return respondJson(c, 201, {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  });
}

/**
 * Counts invalid exchanges by address. A valid one always gets through, and so does the error for a
 * code or token that no longer works: behind a proxy that isn't trusted, all clients share an
 * address, and none of them can lock out the others. Tokens are too long to guess.
 */
async function limitFailures<T>(
  c: RequestContext,
  failures: FailureLimiter,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError && !UNCOUNTED_ERRORS.includes(error.code)) {
      const address = c.env?.address ?? "";
      requireAllowed(failures, address, "Too many refused requests");
      failures.record(address);
    }
    throw error;
  }
}

/** Reports the limit in the format of OAuth. */
function requireAllowed(limiter: FailureLimiter, address: string, message: string): void {
  try {
    limiter.requireAllowed(address, message);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new OAuthError("temporarily_unavailable", message, error.retryAfter ?? null);
  }
}
