/**
 * `GET /oauth/authorize`: where a client sends the user's browser. A valid request leads to the
 * consent page of the dashboard, which is protected by the dashboard's session.
 */

import {
  AuthorizationError,
  errorRedirect,
  type FindClient,
  parseAuthorizationRequest,
} from "../connections/authorization_request.ts";
import { redirectKind } from "../connections/redirect_uris.ts";
import { OAuthError } from "../connections/schema.ts";
import type { RequestContext } from "../http/request.ts";
import { respondError, respondErrorPage } from "./responses.ts";

/** Address of the consent page. The request follows in the fragment, which no server ever sees. */
const CONSENT_PAGE = "/#/-/authorize";

/** Handles the request of a browser that arrives with a client's request for access. */
export async function serveAuthorize(
  c: RequestContext,
  base: string,
  findClient: FindClient,
): Promise<Response> {
  const search = queryOf(c);
  try {
    await parseAuthorizationRequest(new URLSearchParams(search), base, findClient);
    return redirect(c, `${CONSENT_PAGE}?${search}`);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error instanceof AuthorizationError && mayRedirect(error)) {
      return redirect(c, errorRedirect(error, error, base));
    }
    const isBrowser = (c.req.header("accept") ?? "").includes("text/html");
    return isBrowser ? respondErrorPage(c, error) : respondError(c, error);
  }
}

/**
 * Checks whether the browser may be sent to a client without asking the user. Anyone can register an
 * address, so this would be an open redirect if an owner hasn't approved the client before (RFC
 * 9700, 4.11.2). An address on the user's own machine is of no use to a stranger.
 */
function mayRedirect({ client, redirectUri }: AuthorizationError): boolean {
  return client.known || redirectKind(redirectUri) === "loopback";
}

/** Returns the query as sent, without parsing it. */
function queryOf(c: RequestContext): string {
  const { url } = c.req.raw;
  return url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
}

function redirect(c: RequestContext, location: string): Response {
  return new Response(null, {
    status: 302,
    headers: {
      location,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-request-id": c.get("requestId"),
    },
  });
}
