/**
 * Outermost middleware. Sets the request id, logs one line per request, and updates the metrics.
 */

import type { Next } from "hono";
import type { Ids } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "./metrics.ts";
import type { RequestContext } from "./request.ts";

/**
 * Methods with a metrics label of their own. Clients can make up others, which would otherwise fill
 * up memory.
 */
const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Returns middleware that sets a request id and logs the request. Only logs fields that can't
 * contain content or keys.
 */
export function observe(ids: Ids, log: Log, metrics: Metrics | null) {
  return async function observeRequest(c: RequestContext, next: Next): Promise<void> {
    const started = performance.now();
    c.set("requestId", ids.next("req"));
    c.set("route", "unmatched");
    await next();
    const milliseconds = performance.now() - started;
    const [route, status] = [c.get("route"), c.res.status];
    const method = KNOWN_METHODS.has(c.req.method) ? c.req.method : "other";
    metrics?.count(method, route, status, milliseconds / 1_000);
    log.info("request", {
      request_id: c.get("requestId"),
      project_id: c.get("principal")?.projectId,
      method,
      route,
      status,
      ms: Math.round(milliseconds * 100) / 100,
    });
  };
}
