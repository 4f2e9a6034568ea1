/** Metrics for Prometheus. Only loaded if they are turned on: the library takes 8 MB. */

import { Counter, Gauge, Histogram, Registry } from "prom-client";

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
