/**
 * Registers endpoints in an app. Each path gets its methods, plus a 405 response for all others.
 */

import type { Hono } from "hono";
import type { Endpoint } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { RequestContext, RequestEnv } from "./request.ts";
import { type EndpointDeps, pathUnder, serveEndpoint } from "./serve_endpoint.ts";

/** Dependencies of the handlers, and how their paths are written. */
export interface MountDeps extends EndpointDeps {
  /** Whether each path is also served with a slash at its end. Defaults to false. */
  readonly trailingSlash?: boolean;
}

/** Serves endpoints under a path prefix. */
export function mountEndpoints(
  app: Hono<RequestEnv>,
  endpoints: readonly Endpoint[],
  deps: MountDeps,
): void {
  const paths = Map.groupBy(endpoints, (endpoint) => honoPath(pathUnder(deps.prefix, endpoint)));
  // Goes path by path, so that a path without parameters rejects other methods before a path with
  // parameters can match them.
  for (const [path, endpointsOfPath] of paths) {
    for (const spelling of deps.trailingSlash ? [path, `${path}/`] : [path]) {
      for (const endpoint of endpointsOfPath) {
        app.on(endpoint.method, spelling, serveEndpoint(endpoint, deps));
      }
      refuseOtherMethods(app, spelling, endpointsOfPath.map(({ method }) => method));
    }
  }
}

/** Responds with 405 to any method not matched so far. HEAD is handled like GET. */
export function refuseOtherMethods(
  app: Hono<RequestEnv>,
  path: string,
  methods: readonly string[],
): void {
  const allow = methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
  app.all(path, function refuseMethod(c: RequestContext): Response {
    throw methodNotAllowed(c.req.method, allow);
  });
}

/** Returns the error for a disallowed method, listing the allowed ones. */
export function methodNotAllowed(method: string, allow: readonly string[]): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", `Method ${method} is not allowed for this path`, {
    details: { allow: allow.join(", ") },
  });
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
