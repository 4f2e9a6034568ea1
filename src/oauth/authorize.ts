/**
 * `GET /oauth/authorize`: where a client sends the user's browser. A valid request leads to the
 * consent page of the dashboard, which is protected by the dashboard's session.
 */

import {
  AuthorizationError,
  errorRedirect,
  parseAuthorizationRequest,
} from "../connections/authorization_request.ts";
import { documentUrl } from "../connections/client_documents.ts";
import type { ClientRegistry } from "../connections/clients.ts";
import { redirectKind } from "../connections/redirect_uris.ts";
import { OAuthError } from "../connections/schema.ts";
import type { RequestContext } from "../http/request.ts";
import { respondError, respondErrorPage } from "./responses.ts";

/** Address of the consent page. The request follows in the fragment, which no server ever sees. */
const CONSENT_PAGE = "/#/-/authorize";

/** What the endpoint needs. */
export interface AuthorizeDeps {
  readonly clients: ClientRegistry;
  /** Whether clients can identify themselves by the URL of a document. */
  readonly clientDocuments: boolean;
}

/** Handles the request of a browser that arrives with a client's request for access. */
export async function serveAuthorize(
  c: RequestContext,
  base: string,
  { clients, clientDocuments }: AuthorizeDeps,
): Promise<Response> {
  const search = queryOf(c);
  const parameters = new URLSearchParams(search);
  // The consent page fetches the document, once the owner has signed in. A stranger can't make the
  // service connect to an address.
  if (clientDocuments && documentUrl(parameters.get("client_id") ?? "") !== null) {
    return redirect(c, `${CONSENT_PAGE}?${search}`);
  }
  try {
    await parseAuthorizationRequest(parameters, base, (id) => clients.find(id));
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
