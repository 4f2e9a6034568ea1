/**
 * The service's own URL, for clients that sign in. It must not depend on what a client can send
 * through a proxy, so it's either configured or on the client's own machine.
 */

import { isLoopbackHost } from "../kernel/http/loopback.ts";
import { isOwnOrigin } from "./origin.ts";

/** Headers of a proxy. With one of them, the request didn't come directly from this machine. */
const FORWARDED_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];

/** Returns the service's URL for a request, without a slash at the end, or null if unknown. */
export type BaseUrl = (headers: Headers) => string | null;

/** What is known about a request before its origin is checked. */
export interface PageRequest {
  readonly headers: Headers;
  /** The service's URL for the request, or null if unknown. */
  readonly base: string | null;
  /** Whether a trusted proxy sent the request, which makes its `X-Forwarded-Host` reliable. */
  readonly fromTrustedProxy: boolean;
}

/**
 * Checks whether a page with a given origin is the service's own, or comes through a trusted proxy
 * that names the host. A name that merely points to this machine isn't enough: any site can do that
 * (DNS rebinding), and its pages can then also send the proxy's header.
 */
export function isOwnPage(origin: string, request: PageRequest): boolean {
  const { headers, base, fromTrustedProxy } = request;
  if (origin === base || origin === loopbackUrl(headers)) return true;
  return fromTrustedProxy && headers.has("x-forwarded-host") && isOwnOrigin(headers, origin);
}

/**
 * Creates a function that returns the service's URL.
 *
 * @param publicUrl the configured URL; without it, only direct requests to a loopback host have one
 *
 * @example
 * ```ts
 * import { createBaseUrl } from "./base_url.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const local = new Headers({ host: "127.0.0.1:8420" });
 * strictEqual(createBaseUrl(undefined)(local), "http://127.0.0.1:8420");
 * strictEqual(createBaseUrl(undefined)(new Headers({ host: "memory.example" })), null);
 * strictEqual(createBaseUrl("https://memory.example")(local), "https://memory.example");
 * ```
 */
export function createBaseUrl(publicUrl: string | undefined): BaseUrl {
  if (publicUrl !== undefined) {
    const { origin } = new URL(publicUrl);
    return () => origin;
  }
  return loopbackUrl;
}

function loopbackUrl(headers: Headers): string | null {
  if (FORWARDED_HEADERS.some((name) => headers.has(name))) return null;
  const url = URL.parse(`http://${headers.get("host") ?? ""}`);
  return url !== null && url.pathname === "/" && isLoopbackHost(url.hostname) ? url.origin : null;
}
