/** Responses of the OAuth endpoints, whose format differs from the API's. */

import { OAUTH_ERROR_STATUS, type OAuthError } from "../connections/schema.ts";
import { type RequestContext, respond } from "../http/request.ts";

/** Tokens must not be stored by caches on the way (RFC 6749, 5.1). */
const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" } as const;

/** Lets pages of any site read a response. It contains nothing that isn't in the request or public. */
const ANY_ORIGIN = { "access-control-allow-origin": "*" } as const;

/** Returns a response in JSON that isn't cached. */
export function respondJson(c: RequestContext, status: number, body: unknown): Response {
  return respond(c, { status, body }, { ...NO_STORE, ...ANY_ORIGIN });
}

/** Returns public metadata, readable by every page. */
export function respondMetadata(c: RequestContext, body: unknown): Response {
  return respond(c, { status: 200, body }, ANY_ORIGIN);
}

/** Returns an error in the format of OAuth (RFC 6749, 5.2). */
export function respondError(c: RequestContext, error: OAuthError): Response {
  const { code, message, retryAfter } = error;
  return respond(c, {
    status: OAUTH_ERROR_STATUS[code],
    body: { error: code, error_description: message },
  }, {
    ...NO_STORE,
    ...ANY_ORIGIN,
    ...(retryAfter === null ? {} : { "retry-after": String(retryAfter) }),
  });
}

/** Responds to the question of a browser whether a page may send a request. */
export function respondPreflight(c: RequestContext, methods: string): Response {
  return respond(c, { status: 204 }, {
    ...ANY_ORIGIN,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "86400",
  });
}

/** Returns a page that explains an error to a person who can't be sent back to the client. */
export function respondErrorPage(c: RequestContext, { code, message }: OAuthError): Response {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not connected · Commonplace</title>
</head>
<body>
<main>
<h1>This program can't be connected</h1>
<p>${escapeHtml(message)}.</p>
<p>Nothing was shared with it. You can close this page.</p>
<p><small>${code} · ${c.get("requestId")}</small></p>
</main>
</body>
</html>
`;
  return new Response(page, {
    status: OAUTH_ERROR_STATUS[code],
    headers: {
      ...NO_STORE,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "x-request-id": c.get("requestId"),
    },
  });
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };
  return text.replaceAll(/[&<>"]/g, (character) => `&${names[character]};`);
}
