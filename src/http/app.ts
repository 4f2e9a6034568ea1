/** The table of contents of the server: what a request passes, and where it can end. */

import { Hono, type Next } from "hono";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Foundation } from "../contract/foundation.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { KeyService } from "../projects/keys.ts";
import { authenticate } from "./authenticate.ts";
import { renderErrors } from "./errors.ts";
import { type Metrics, observe } from "./observe.ts";
import { openApiDocument } from "./openapi.ts";
import { type RequestContext, type RequestEnv, respond } from "./request.ts";
import { serveEndpoint } from "./serve_endpoint.ts";

/** Another way into the same house; takes its own paths. */
export type Door = (app: Hono<RequestEnv>) => void;

/** What the app is made of. */
export interface AppRooms {
  readonly foundation: Foundation;
  readonly log: Log;
  readonly keys: KeyService;
  readonly endpoints: readonly Endpoint[];
  readonly doors: readonly Door[];
  readonly version: string;
  /** Null turns `/metrics` off. */
  readonly metrics: Metrics | null;
  /** What becomes of a request: served, or refused while the server starts or stops. */
  readonly state: () => "starting" | "ready" | "stopping";
}

export function createApp(rooms: AppRooms): Hono<RequestEnv> {
  const { foundation, keys, endpoints } = rooms;
  const app = new Hono<RequestEnv>();

  app.use(observe(foundation.ids, rooms.log, rooms.metrics));
  app.get("/livez", (c) => probe(c, true));
  app.get("/readyz", (c) => probe(c, rooms.state() === "ready"));
  if (rooms.metrics !== null) app.get("/metrics", metricsText(rooms.metrics));
  app.get("/", welcome);

  app.use("/v1/*", refuseWhenStopping(rooms.state));
  app.get("/v1/openapi.json", openApi(endpoints, rooms.version));
  app.use("/v1/*", authenticate(keys));
  // Path by path, so that one without parameters refuses its other methods itself, before a path
  // with parameters takes them for its own.
  for (const [path, methods] of methodsByPath(rooms)) {
    for (const endpoint of endpoints.filter((each) => honoPath(each.path) === path)) {
      const serve = serveEndpoint(endpoint, foundation.store, foundation.clock);
      app.on(endpoint.method, path, serve);
    }
    app.all(path, methodNotAllowed(methods));
  }

  app.use("/mcp", refuseWhenStopping(rooms.state));
  for (const open of rooms.doors) open(app);

  const renderError = renderErrors(rooms.log);
  // Rendered here, not thrown: outside of /v1 Hono would take a throw past the log and the metrics.
  app.notFound((c) => renderError(new ApiError("NOT_FOUND", `Nothing is at ${c.req.path}`), c));
  app.onError(renderError);
  return app;
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Every path with the methods that it knows; HEAD goes wherever GET does. */
function methodsByPath({ endpoints, metrics }: AppRooms): Map<string, string[]> {
  const paths = new Map([["/livez", ["GET"]], ["/readyz", ["GET"]], ["/", ["GET"]]]);
  paths.set("/v1/openapi.json", ["GET"]);
  if (metrics !== null) paths.set("/metrics", ["GET"]);
  for (const { path, method } of endpoints) {
    paths.set(honoPath(path), [...paths.get(honoPath(path)) ?? [], method]);
  }
  return paths;
}

function methodNotAllowed(methods: readonly string[]) {
  const allow = methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
  return function refuseMethod(c: RequestContext): Response {
    throw new ApiError("METHOD_NOT_ALLOWED", `${c.req.method} is not possible here`, {
      details: { allow: allow.join(", ") },
    });
  };
}

function refuseWhenStopping(state: AppRooms["state"]) {
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

function probe(c: RequestContext, well: boolean): Response {
  return respond(c, { status: well ? 200 : 503, body: { status: well ? "ok" : "unavailable" } });
}

function metricsText(metrics: Metrics) {
  return async function serveMetrics(c: RequestContext): Promise<Response> {
    return respond(c, { status: 200, json: await metrics.text() }, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  };
}

/** Until the dashboard is built, its address says so and names the doors that are open. */
function welcome(c: RequestContext): Response {
  const text = "This is Commonplace. Its dashboard is not part of this version yet.\n" +
    "The API is under /v1, its description at /v1/openapi.json. MCP is at /mcp.\n";
  return respond(c, { status: 200, json: text }, { "content-type": "text/plain; charset=utf-8" });
}
