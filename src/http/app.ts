/**
 * The server's table of contents: the checks every request goes through, and the handlers it can
 * reach.
 */

import { Hono, type Next } from "hono";
import type { Endpoint } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { authenticate, type KeyDeps } from "./authenticate.ts";
import { renderErrors } from "./errors.ts";
import { mountEndpoints, refuseOtherMethods } from "./mount.ts";
import type { Metrics } from "./metrics.ts";
import { observe } from "./observe.ts";
import { openApiDocument } from "./openapi.ts";
import { type RequestContext, type RequestEnv, respond } from "./request.ts";

/** Another API on top of the same services, e.g. MCP or the dashboard. Mounts its own paths. */
export type Mount = (app: Hono<RequestEnv>) => void;

/** Dependencies of the app. */
export interface AppDeps extends KeyDeps {
  readonly appContext: AppContext;
  readonly log: Log;
  readonly endpoints: readonly Endpoint[];
  readonly mounts: readonly Mount[];
  readonly version: string;
  /** Null disables `/metrics`. */
  readonly metrics: Metrics | null;
  /**
   * Whether requests are served. `/readyz` fails unless the state is "ready", and everything is
   * rejected while it's "stopping".
   */
  readonly state: () => "starting" | "ready" | "stopping";
}

/** Creates the app. Checks run in the order they're registered here. */
export function createApp(deps: AppDeps): Hono<RequestEnv> {
  const { appContext, endpoints } = deps;
  const app = new Hono<RequestEnv>();

  app.use(observe(appContext.ids, deps.log, deps.metrics));
  getWithoutKey(app, "/livez", (c) => probe(c, true));
  refuseOtherMethods(app, "/livez", ["GET"]);
  getWithoutKey(app, "/readyz", (c) => probe(c, deps.state() === "ready"));
  refuseOtherMethods(app, "/readyz", ["GET"]);
  if (deps.metrics !== null) {
    getWithoutKey(app, "/metrics", metricsText(deps.metrics));
    refuseOtherMethods(app, "/metrics", ["GET"]);
  }

  app.use("/v1/*", refuseWhenStopping(deps.state));
  getWithoutKey(app, "/v1/openapi.json", openApi(endpoints, deps.version));
  app.use("/v1/*", authenticate(deps));
  refuseOtherMethods(app, "/v1/openapi.json", ["GET"]);
  mountEndpoints(app, endpoints, { ...appContext, prefix: "/v1" });

  app.use("/dashboard/*", refuseWhenStopping(deps.state));
  app.use("/mcp", refuseWhenStopping(deps.state));
  app.use("/mem0/*", refuseWhenStopping(deps.state));
  app.use("/oauth/*", refuseWhenStopping(deps.state));
  for (const open of deps.mounts) open(app);

  const renderError = renderErrors(deps.log);
  // Rendered here rather than thrown. Outside of /v1, Hono would let a thrown error bypass the log
  // and the metrics.
  app.notFound((c) => renderError(new ApiError("NOT_FOUND", `No endpoint at ${c.req.path}`), c));
  app.onError(renderError);
  return app;
}

/** Mounts a path that isn't an endpoint of the API, under its own name in the log and the metrics. */
function getWithoutKey(
  app: Hono<RequestEnv>,
  path: string,
  handle: (c: RequestContext) => Response | Promise<Response>,
): void {
  app.get(path, (c) => {
    c.set("route", path);
    return handle(c);
  });
}

function refuseWhenStopping(state: AppDeps["state"]) {
  return async function refuseStopping(_: RequestContext, next: Next): Promise<void> {
    if (state() !== "stopping") return await next();
    throw new ApiError("SERVICE_STOPPING", "The service is stopping", { retryAfter: 5 });
  };
}

function openApi(endpoints: readonly Endpoint[], version: string) {
  let json: string | undefined;
  return function serveOpenApi(c: RequestContext): Response {
    json ??= JSON.stringify(openApiDocument(endpoints, version));
    return respond(c, { status: 200, json });
  };
}

function probe(c: RequestContext, healthy: boolean): Response {
  return respond(c, {
    status: healthy ? 200 : 503,
    body: { status: healthy ? "ok" : "unavailable" },
  });
}

function metricsText(metrics: Metrics) {
  return async function serveMetrics(c: RequestContext): Promise<Response> {
    return respond(c, { status: 200, json: await metrics.text() }, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  };
}
