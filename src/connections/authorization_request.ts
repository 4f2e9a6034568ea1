/**
 * Requests for access, as a client puts them into the address that it opens in the browser (RFC
 * 6749, 4.1.1; RFC 7636; RFC 8707). The same check runs when the browser arrives, when the consent
 * page is shown, and when the owner decides, so nothing depends on what the page sends back.
 */

import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { isRegistered, withParameters } from "./redirect_uris.ts";
import { type OAuthClient, OAuthError, type OAuthErrorCode } from "./schema.ts";

/** Path of the only resource that tokens are for. */
export const RESOURCE_PATH = "/mcp";

const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/** Maximum length of a client's `state`. It comes back unchanged. */
const MAX_STATE_CHARACTERS = 4_096;

/** Parameters that may appear only once (RFC 6749, 3.1). */
const PARAMETERS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "code_challenge",
  "code_challenge_method",
  "state",
  "scope",
  "resource",
] as const;

type Parameters = Readonly<Partial<Record<typeof PARAMETERS[number], string>>>;

/** A request that the owner can decide on. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
  readonly resource: string;
  /** What the client asks for. The owner can allow less. */
  readonly permissions: readonly Permission[];
}

/** Looks up a client by its id. */
export type FindClient = (id: string) => Promise<OAuthClient | undefined>;

/**
 * An invalid request from a known client, whose redirect URI is registered. It can be reported to
 * the client; any other error must stay with the user.
 */
export class AuthorizationError extends OAuthError {
  constructor(
    code: OAuthErrorCode,
    message: string,
    readonly client: OAuthClient,
    readonly redirectUri: string,
    readonly state: string | undefined,
  ) {
    super(code, message);
  }
}

/**
 * Checks a request for access.
 *
 * @param base the service's own URL, without a slash at the end
 * @throws AuthorizationError if it can be reported to the client
 * @throws OAuthError if the client or its redirect URI is unknown
 */
export async function parseAuthorizationRequest(
  search: URLSearchParams,
  base: string,
  findClient: FindClient,
): Promise<AuthorizationRequest> {
  const parameters = readParameters(search);
  const { client_id, redirect_uri, state } = parameters;
  if (client_id === undefined) throw new OAuthError("invalid_request", "client_id is missing");
  const client = await findClient(client_id);
  if (client === undefined) {
    throw new OAuthError(
      "invalid_client",
      "This client is not registered, or its registration has expired. Remove the connection in " +
        "the client and add it again",
    );
  }
  if (redirect_uri === undefined || !isRegistered(redirect_uri, client.redirectUris)) {
    throw new OAuthError(
      "invalid_redirect_uri",
      "The client asks to be sent to an address that it has not registered",
    );
  }
  try {
    return {
      client,
      redirectUri: redirect_uri,
      state,
      ...checkParameters(parameters, base),
    };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new AuthorizationError(error.code, error.message, client, redirect_uri, state);
  }
}

/** Returns the address that gives a client its code (RFC 9207 adds `iss`). */
export function codeRedirect(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  code: string,
  base: string,
): string {
  return withParameters(redirectUri, { code, ...stateParameter(state), iss: base });
}

/** Returns the address that reports an error to a client. */
export function errorRedirect(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  { code, message }: OAuthError,
  base: string,
): string {
  return withParameters(redirectUri, {
    error: code,
    error_description: message,
    ...stateParameter(state),
    iss: base,
  });
}

function stateParameter(state: string | undefined): { readonly state?: string } {
  return state === undefined ? {} : { state };
}

/**
 * Parses a list of permissions, as `scope` has it. Unknown ones are ignored, since clients ask for
 * scopes of other services too, e.g. `openid`.
 *
 * @param omitted the permissions if the client names none
 * @throws OAuthError invalid_scope if no known permission is left
 */
export function parseScope(
  scope: string | undefined,
  omitted: readonly Permission[] = ALL_PERMISSIONS,
): readonly Permission[] {
  if (scope === undefined || scope.trim() === "") return omitted;
  const names = scope.split(/ +/);
  const permissions = ALL_PERMISSIONS.filter((permission) => names.includes(permission));
  if (permissions.length > 0) return permissions;
  throw new OAuthError("invalid_scope", `scope must contain one of ${ALL_PERMISSIONS.join(", ")}`);
}

/**
 * Checks that a client asks for a token for this service.
 *
 * @returns the URL that the token is for
 * @throws OAuthError invalid_target if the resource is something else
 */
export function checkResource(resource: string | undefined, base: string): string {
  const own = base + RESOURCE_PATH;
  if (resource === undefined) return own;
  // Clients name the URL they connect to, which can have a query (`?user_id=ana`).
  const url = URL.parse(resource);
  const isOwn = url !== null && url.origin === base && url.hash === "" &&
    url.pathname.replace(/\/$/, "") === RESOURCE_PATH && url.username === "" && url.password === "";
  if (isOwn) return own;
  throw new OAuthError("invalid_target", `resource must be ${own}`);
}

function readParameters(search: URLSearchParams): Parameters {
  const entries = PARAMETERS.map((name) => {
    const [value, ...more] = search.getAll(name);
    if (more.length > 0) throw new OAuthError("invalid_request", `${name} appears more than once`);
    return [name, value] as const;
  });
  // Without a value, a parameter counts as omitted.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ""));
}

function checkParameters(parameters: Parameters, base: string) {
  const { response_type, code_challenge, code_challenge_method, scope, resource, state } =
    parameters;
  if (response_type === undefined) {
    throw new OAuthError("invalid_request", "response_type is missing");
  }
  if (response_type !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code");
  }
  if (state !== undefined && state.length > MAX_STATE_CHARACTERS) {
    throw new OAuthError("invalid_request", `state is longer than ${MAX_STATE_CHARACTERS}`);
  }
  // A SHA-256 digest in base64url. The method "plain" (the default) would send the secret itself.
  if (code_challenge === undefined || !/^[\w-]{43}$/.test(code_challenge)) {
    throw new OAuthError("invalid_request", "code_challenge must be a SHA-256 digest in base64url");
  }
  if (code_challenge_method !== "S256") {
    throw new OAuthError("invalid_request", "code_challenge_method must be S256");
  }
  return {
    codeChallenge: code_challenge,
    resource: checkResource(resource, base),
    permissions: parseScope(scope),
  };
}
