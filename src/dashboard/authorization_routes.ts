/**
 * The endpoint behind the consent page: shows what a client asks for, and takes the owner's decision.
 * Like every change here, the decision is accepted only from the dashboard's own page.
 */

import type { Hono } from "hono";
import { z } from "zod";
import {
  AuthorizationError,
  type AuthorizationRequest,
  codeRedirect,
  errorRedirect,
  type FindClient,
  parseAuthorizationRequest,
} from "../connections/authorization_request.ts";
import type { ClientRegistry } from "../connections/clients.ts";
import { redirectKind } from "../connections/redirect_uris.ts";
import { OAuthError } from "../connections/schema.ts";
import type { ConnectionService } from "../connections/service.ts";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { scopeFields, scopeOf } from "../contract/fields.ts";
import type { BaseUrl } from "../http/base_url.ts";
import { readJson } from "../http/body.ts";
import { parseOrThrow } from "../http/execute_endpoint.ts";
import { refuseOtherMethods } from "../http/mount.ts";
import { parseQuery } from "../http/query.ts";
import { type RequestContext, type RequestEnv, respond } from "../http/request.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { ProjectService } from "../projects/service.ts";
import type { ConsentRequest } from "./schema.ts";

/** What the consent page needs. */
export interface AuthorizationDeps {
  readonly projects: ProjectService;
  readonly connections: ConnectionService;
  readonly clients: ClientRegistry;
  readonly findClient: FindClient;
  readonly baseUrl: BaseUrl;
}

const PATH = "/dashboard/api/authorization";
const BODY_LIMIT = { bytes: LIMITS.authorizationBodyBytes };

const requestQuery = z.object({ request: z.string() });
const decisionBody = z.discriminatedUnion("approve", [
  z.object({ request: z.string(), approve: z.literal(false) }),
  z.object({
    request: z.string(),
    approve: z.literal(true),
    project_id: z.string(),
    permissions: z.array(z.enum(Object.keys(PERMISSIONS) as Permission[])).min(1),
    ...scopeFields,
  }),
]);

type Decision = z.output<typeof decisionBody>;

export function authorizationRoutes(app: Hono<RequestEnv>, deps: AuthorizationDeps): void {
  app.get(PATH, async (c) => {
    c.set("route", PATH);
    const { request } = parseQuery(requestQuery, c);
    const base = requireBase(c, deps);
    const parsed = await parse(request, base, deps);
    await deps.clients.recordConsentRequest(parsed.client.id);
    return respond(c, { status: 200, body: toConsentRequest(parsed) });
  });
  app.post(PATH, async (c) => {
    c.set("route", PATH);
    const decision = parseOrThrow(decisionBody, await readJson(c.req.raw, BODY_LIMIT));
    return respond(c, { status: 200, body: { redirect_to: await decide(c, decision, deps) } });
  });
  refuseOtherMethods(app, PATH, ["GET", "POST"]);
}

/** Carries out a decision and returns the address that the browser has to go to. */
async function decide(
  c: RequestContext,
  decision: Decision,
  deps: AuthorizationDeps,
): Promise<string> {
  const base = requireBase(c, deps);
  const request = await parse(decision.request, base, deps);
  const requestId = c.get("requestId");
  if (!decision.approve) {
    await deps.connections.deny(request, requestId);
    const refusal = new OAuthError("access_denied", "The owner refused the request");
    return errorRedirect(request, refusal, base);
  }
  const extra = decision.permissions.find((name) => !request.permissions.includes(name));
  if (extra !== undefined) {
    throw invalidField("permissions", `The client has not asked for ${extra}`);
  }
  const project = await deps.projects.findById(decision.project_id);
  if (project === undefined) throw new ApiError("NOT_FOUND", `No project "${decision.project_id}"`);
  const permissions = request.permissions.filter((name) => decision.permissions.includes(name));
  const grant = { project, permissions, fixed: scopeOf(decision) };
  return codeRedirect(request, await deps.connections.approve(request, grant, requestId), base);
}

/** Checks the client's request. An error includes the address that reports it to the client. */
async function parse(
  request: string,
  base: string,
  { findClient }: AuthorizationDeps,
): Promise<AuthorizationRequest> {
  try {
    return await parseAuthorizationRequest(new URLSearchParams(request), base, findClient);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const details = error instanceof AuthorizationError
      ? { error: error.code, return_to: errorRedirect(error, error, base) }
      : { error: error.code };
    throw new ApiError("INVALID_REQUEST", error.message, { details });
  }
}

function toConsentRequest(request: AuthorizationRequest): ConsentRequest {
  const { client, redirectUri, permissions, resource } = request;
  return {
    client: { id: client.id, name: client.name, known: client.known },
    redirect: {
      uri: redirectUri,
      kind: redirectKind(redirectUri),
      host: new URL(redirectUri).host,
    },
    permissions,
    resource,
  };
}

function requireBase(c: RequestContext, { baseUrl }: AuthorizationDeps): string {
  const base = baseUrl(c.req.raw.headers);
  if (base !== null) return base;
  throw new ApiError("NOT_FOUND", "Sign-in is off; set --public-url to the service's own URL");
}
