/** Host names of the machine itself. */

const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/**
 * Checks whether the host name of a URL is one that every machine resolves to itself.
 *
 * @example
 * ```ts
 * import { isLoopbackHost } from "./loopback.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(isLoopbackHost(new URL("http://[::1]:8420").hostname), true);
 * strictEqual(isLoopbackHost("localhost.example"), false);
 * ```
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOSTS.includes(hostname);
}
