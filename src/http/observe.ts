/**
 * Outermost middleware. Sets the request id, logs one line per request, and updates the metrics.
 */

import type { Next } from "hono";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Ids } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { RequestContext } from "./request.ts";

/** Prometheus metrics. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: "commonplace_http_requests_total",
    help: "Completed requests, by method, route and status",
    labelNames: ["method", "route", "status"],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: "commonplace_http_request_seconds",
    help: "Time from the arrival of a request to its response, in seconds",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.#registry],
  });

  count(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ method, route }, seconds);
  }

  /** Adds a gauge that's read on each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

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
