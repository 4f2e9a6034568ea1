/** Rejects queries whose percent-encoding can't be decoded. */

import { invalidRequest, type Issue } from "../kernel/errors.ts";

/**
 * Checks the percent-encoding of a query. Hono keeps what it can't decode, so `%FF` and `%25FF` would
 * name the same scope.
 *
 * @param url a request's URL, whose host may be invalid
 * @throws ApiError INVALID_REQUEST that names the parameters that aren't percent-encoded UTF-8
 */
export function checkQueryEncoding(url: string): void {
  const start = url.indexOf("?");
  if (start === -1) return;
  const issues = url.slice(start + 1).split("&").flatMap((field): Issue[] => {
    if (decode(field) !== null) return [];
    const name = field.replace(/=.*/s, "");
    return [{ path: decode(name) ?? name, message: "Must be percent-encoded UTF-8" }];
  });
  if (issues.length > 0) throw invalidRequest(issues);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
