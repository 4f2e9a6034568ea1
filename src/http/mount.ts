/** Endpoints put into an app: each path with its methods, and a refusal of all the others. */

import type { Hono } from "hono";
import type { Endpoint } from "../contract/endpoint.ts";
import { ApiError } from "../kernel/errors.ts";
import type { RequestContext, RequestEnv } from "./request.ts";
import { type EndpointDeps, pathUnder, serveEndpoint } from "./serve_endpoint.ts";

/** Serves endpoints under a prefix. */
export function mountEndpoints(
  app: Hono<RequestEnv>,
  endpoints: readonly Endpoint[],
  deps: EndpointDeps,
): void {
  const paths = Map.groupBy(endpoints, (endpoint) => honoPath(pathUnder(deps.prefix, endpoint)));
  // Path by path, so that one without parameters refuses its other methods itself, before a path
  // with parameters takes them for its own.
  for (const [path, here] of paths) {
    for (const endpoint of here) app.on(endpoint.method, path, serveEndpoint(endpoint, deps));
    refuseOtherMethods(app, path, here.map(({ method }) => method));
  }
}

/** Answers 405 to every method of a path that nothing before has taken; HEAD goes where GET does. */
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

/** The refusal of a method, with those that are possible. */
export function methodNotAllowed(method: string, allow: readonly string[]): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", `${method} is not possible here`, {
    details: { allow: allow.join(", ") },
  });
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
