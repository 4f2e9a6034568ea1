/** Rejects URLs whose percent-encoding can't be decoded. */

import { invalidRequest, type Issue } from "../kernel/errors.ts";

/**
 * Checks the percent-encoding of a query. Hono keeps what it can't decode, so `%FF` and `%25FF` would
 * name the same scope.
 *
 * @param url a request's URL, whose host may be invalid
 * @throws ApiError INVALID_REQUEST that names the parameters that aren't percent-encoded UTF-8
 */
export function checkQueryEncoding(url: string): void {
  const query = url.slice(queryStart(url) + 1);
  rejectMalformed(query.split("&").map((field) => [field.replace(/=.*/s, ""), field]));
}

/**
 * Checks the percent-encoding of a path's parameters.
 *
 * @param route the path's template, e.g. `/v1/memories/{id}`
 * @throws ApiError INVALID_REQUEST that names the parameters that aren't percent-encoded UTF-8
 */
export function checkPathEncoding(url: string, route: string): void {
  const values = url.slice(0, queryStart(url)).replace(/\/$/, "").split("/").reverse();
  const names = route.split("/").reverse().map((name) => name.replace(/^\{(.*)\}$/, "$1"));
  rejectMalformed(names.map((name, index) => [name, values[index] ?? ""]));
}

function queryStart(url: string): number {
  const start = url.indexOf("?");
  return start === -1 ? url.length : start;
}

function rejectMalformed(parts: readonly (readonly [name: string, text: string])[]): void {
  const issues = parts.flatMap(([name, text]): Issue[] =>
    decode(text) === null
      ? [{ path: decode(name) ?? name, message: "Must be percent-encoded UTF-8" }]
      : []
  );
  if (issues.length > 0) throw invalidRequest(issues);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
