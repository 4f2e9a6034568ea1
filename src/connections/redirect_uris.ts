/**
 * Addresses that the browser can be sent back to. A registered address has to match exactly, except
 * for the port of an address on the user's own machine (RFC 8252, 7.3).
 */

import { isLoopbackHost } from "../kernel/http/loopback.ts";

/** What is at an address: a website, this machine, or an app that the system opens. */
export type RedirectKind = "web" | "loopback" | "app";

/** Maximum length of a redirect URI. */
const MAX_URI_CHARACTERS = 2_000;

/** Schemes that run code, read files or start something other than the client's own app. */
const REFUSED_SCHEMES: readonly string[] = [
  "about",
  "blob",
  "chrome",
  "chrome-extension",
  "data",
  "file",
  "filesystem",
  "ftp",
  "intent",
  "jar",
  "javascript",
  "mailto",
  "mk",
  "moz-extension",
  "res",
  "resource",
  "search-ms",
  "sms",
  "ssh",
  "tel",
  "vbscript",
  "view-source",
  "ws",
  "wss",
];

/**
 * Returns why an address can't be registered, or null if it can.
 *
 * @example
 * ```ts
 * import { redirectUriProblem } from "./redirect_uris.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(redirectUriProblem("https://chat.example/callback"), null);
 * strictEqual(redirectUriProblem("cursor://example/callback"), null);
 * strictEqual(redirectUriProblem("http://chat.example/callback") === null, false);
 * ```
 */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > MAX_URI_CHARACTERS) return `must be at most ${MAX_URI_CHARACTERS} characters`;
  // Browsers drop some of these characters and read "\" as "/", so the user would see one address
  // and get to another.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) return "must be a URL in ASCII";
  const url = URL.parse(uri);
  if (url === null) return "must be an absolute URL";
  if (uri.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  const scheme = url.protocol.slice(0, -1);
  // Windows has dozens of schemes that start with "ms-" and open parts of the system.
  if (REFUSED_SCHEMES.includes(scheme) || scheme.startsWith("ms-")) {
    return `must not use the scheme "${scheme}"`;
  }
  if (scheme === "https") {
    return url.hostname.endsWith(".") ? "must not end its host with a dot" : null;
  }
  if (scheme === "http" && !isLoopbackHost(url.hostname)) {
    return "must use https, unless it is on 127.0.0.1, [::1] or localhost";
  }
  return null;
}

/** Returns what is at an address that `redirectUriProblem` accepts. */
export function redirectKind(uri: string): RedirectKind {
  const { protocol } = new URL(uri);
  if (protocol === "https:") return "web";
  return protocol === "http:" ? "loopback" : "app";
}

/**
 * Checks whether a client may use an address.
 *
 * @example
 * ```ts
 * import { isRegistered } from "./redirect_uris.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const registered = ["https://chat.example/cb", "http://127.0.0.1/cb"];
 * strictEqual(isRegistered("https://chat.example/cb", registered), true);
 * strictEqual(isRegistered("https://chat.example:444/cb", registered), false);
 * strictEqual(isRegistered("http://127.0.0.1:51000/cb", registered), true);
 * ```
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  if (redirectUriProblem(uri) !== null || redirectKind(uri) !== "loopback") return false;
  return registered.some((known) =>
    redirectKind(known) === "loopback" && withoutPort(known) === withoutPort(uri)
  );
}

/** Returns an address with query parameters added. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url.href;
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*))(?::\d*)?/i, "$1");
}
