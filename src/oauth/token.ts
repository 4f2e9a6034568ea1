/** `POST /oauth/token` and `POST /oauth/revoke` (RFC 6749, RFC 7009). Clients have no secret. */

import { z } from "zod";
import { documentUrl } from "../connections/client_documents.ts";
import { OAuthError } from "../connections/schema.ts";
import type { TokenResponse, TokenService } from "../connections/token_service.ts";
import { decodeUtf8, readBody, requireIdentityEncoding } from "../http/body.ts";
import type { RequestContext } from "../http/request.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { AuthorizeDeps } from "./authorize.ts";

const FORM_LIMIT = { bytes: LIMITS.tokenFormBytes };

const required = z.string({ error: "is missing" });

const tokenForms = {
  authorization_code: z.object({
    code: required,
    client_id: required,
    redirect_uri: required,
    code_verifier: required,
    resource: z.string().optional(),
  }),
  refresh_token: z.object({
    refresh_token: required,
    client_id: required,
    resource: z.string().optional(),
    scope: z.string().optional(),
  }),
} as const;

const revokeForm = z.object({ token: required, client_id: required });

/** What the endpoints need. */
export interface TokenDeps extends AuthorizeDeps {
  readonly tokens: TokenService;
}

/**
 * Exchanges a code or a refresh token.
 *
 * @throws OAuthError if the client can't have new tokens
 */
export async function exchangeToken(
  c: RequestContext,
  base: string,
  deps: TokenDeps,
): Promise<TokenResponse> {
  const { tokens } = deps;
  const form = await readForm(c.req.raw);
  const call = { base, requestId: c.get("requestId") };
  const { grant_type } = form;
  if (grant_type === "authorization_code") {
    const fields = parseForm(tokenForms.authorization_code, form);
    const { code, client_id: clientId, redirect_uri: redirectUri, resource } = fields;
    return await withKnownClient(clientId, deps, () =>
      tokens.redeem(
        { code, clientId, redirectUri, verifier: fields.code_verifier, resource },
        call,
      ));
  }
  if (grant_type === "refresh_token") {
    const fields = parseForm(tokenForms.refresh_token, form);
    const { refresh_token: refreshToken, client_id: clientId, resource, scope } = fields;
    return await withKnownClient(
      clientId,
      deps,
      () => tokens.refresh({ refreshToken, clientId, resource, scope }, call),
    );
  }
  throw new OAuthError(
    grant_type === undefined ? "invalid_request" : "unsupported_grant_type",
    "grant_type must be authorization_code or refresh_token",
  );
}

/** Ends the connection of a token. */
export async function revokeToken(c: RequestContext, { tokens }: TokenDeps): Promise<void> {
  const { token, client_id } = parseForm(revokeForm, await readForm(c.req.raw));
  await tokens.revoke(token, client_id, c.get("requestId"));
}

/**
 * Reports a client that isn't registered as such. Clients react to it by registering again, whereas
 * they would try a refused code or token again and again. A client with a document can't register,
 * and its document isn't fetched: anyone could make the service connect to any address that way.
 */
async function withKnownClient(
  clientId: string,
  { clients, clientDocuments }: TokenDeps,
  exchange: () => Promise<TokenResponse>,
): Promise<TokenResponse> {
  try {
    return await exchange();
  } catch (error) {
    const refused = error instanceof OAuthError && error.code === "invalid_grant";
    if (!refused || clientDocuments && documentUrl(clientId) !== null) throw error;
    if (await clients.find(clientId) !== undefined) throw error;
    throw new OAuthError("invalid_client", "This client is not registered");
  }
}

/**
 * Reads a form. A parameter that appears twice is an error, and one without a value counts as omitted
 * (RFC 6749, 3.2).
 */
async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const bytes = await readBody(request, FORM_LIMIT, () => {
    requireIdentityEncoding(request.headers);
    const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
    if (type.trim() === "application/x-www-form-urlencoded") return;
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      "Content-Type must be application/x-www-form-urlencoded",
    );
  });
  const form: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(decodeUtf8(bytes))) {
    if (seen.has(name)) throw new OAuthError("invalid_request", `${name} appears more than once`);
    seen.add(name);
    if (value !== "") form[name] = value;
  }
  return form;
}

function parseForm<T>(schema: z.ZodType<T>, form: Readonly<Record<string, string>>): T {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OAuthError("invalid_request", `${issue!.path.join(".")} ${issue!.message}`);
}
