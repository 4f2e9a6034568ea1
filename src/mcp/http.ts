/** MCP over HTTP at `POST /mcp`. Stateless, authenticated with API keys. */

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Next } from "hono";
import type { Mount } from "../http/app.ts";
import type { ConnectionService } from "../connections/service.ts";
import { authenticate, type KeyDeps } from "../http/authenticate.ts";
import { type BaseUrl, isOwnPage } from "../http/base_url.ts";
import { decodeUtf8, parseJson, readBody, requireJson } from "../http/body.ts";
import { methodNotAllowed } from "../http/mount.ts";
import { originOf } from "../http/origin.ts";
import { checkQueryEncoding } from "../http/percent_encoding.ts";
import { type RequestContext, respond } from "../http/request.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { describeError } from "../kernel/log.ts";
import { parseProfile } from "./profiles.ts";
import { createConnectionCheck, signInOptions } from "./sign_in.ts";
import { combineFixedScopes, parseFixedScope } from "./scopes.ts";
import { createServerFactory, type McpDeps } from "./server.ts";
import type { Caller } from "./tool_registry.ts";

/** JSON-RPC code for messages that aren't valid JSON (jsonrpc.org/specification). */
const PARSE_ERROR = -32_700;

/** Responds to a protocol message whose body has already been parsed. */
type MessageHandler = (request: Request, parsed: unknown, caller: Caller) => Promise<Response>;

/** Rejects a message that the caller's connection doesn't allow. */
type ConnectionCheck = (c: RequestContext, parsed: unknown) => void;

/** The MCP endpoint for HTTP. */
export interface McpMount {
  readonly mount: Mount;
  /** Closes any open streams. */
  close(): Promise<void>;
}

/** Dependencies for the HTTP endpoint. */
export interface McpHttpDeps extends KeyDeps {
  readonly connections: ConnectionService;
  readonly baseUrl: BaseUrl;
}

/** Creates the `/mcp` endpoint. */
export function mountMcp(deps: McpDeps & McpHttpDeps): McpMount {
  const makeServer = createServerFactory(deps);
  const onerror = (error: Error) =>
    deps.log.debug("mcp request refused", { error: describeError(error) });
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo!.extra!["caller"] as Caller;
      return makeServer(caller, () => caller.requestId);
    },
    {
      legacy: "reject",
      // The server never sends notifications, so clients don't need to keep a stream open for them.
      maxSubscriptions: 0,
      onerror,
    },
  );
  const handleMessage: MessageHandler = async (request, parsed, caller) => {
    if (await isLegacyRequest(request, parsed)) {
      // Clients on these revisions can batch several calls. Each is a request with its own id.
      let calls = 0;
      const server = makeServer(
        caller,
        () => calls++ === 0 ? caller.requestId : deps.appContext.ids.next("req"),
      );
      server.onerror = onerror;
      return await handleLegacyMessage(server, request, parsed);
    }
    const { projectId, permissions } = caller.principal;
    // The SDK never sees the key itself.
    const authInfo = {
      token: "",
      clientId: projectId,
      scopes: [...permissions],
      extra: { caller },
    };
    return await handler.fetch(request, { authInfo, parsedBody: parsed });
  };
  const checkConnection = createConnectionCheck(makeServer.requiredPermission, deps.baseUrl);
  return {
    mount(app) {
      app.use("/mcp", rejectForeignRequests(deps.baseUrl));
      app.use("/mcp", authenticate(deps, signInOptions(deps)));
      app.post("/mcp", serveMcp(handleMessage, checkConnection, deps.baseUrl));
    },
    close: () => handler.close(),
  };
}

/**
 * Handles a message from a client on a revision before 2026-07-28. Returns a single JSON response.
 * By default, the SDK would return a stream with one event, but clients limit the length of an
 * event, and large resources exceed it.
 */
async function handleLegacyMessage(
  server: Server,
  request: Request,
  parsed: unknown,
): Promise<Response> {
  // If a batch cancelled one of its own calls, neither that call nor the batch would ever get a
  // response.
  server.removeNotificationHandler("notifications/cancelled");
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const reply = await transport.handleRequest(request, { parsedBody: parsed });
    if (reply.status !== 200 || !Array.isArray(parsed)) return reply;
    // The SDK treats a batch of one like a single call.
    return Response.json([await reply.json()].flat());
  } finally {
    await server.close();
  }
}

/**
 * Returns middleware that rejects requests from pages on other hosts, then any method but POST. The protocol requires this
 * before the key is checked. Browsers send the page's origin; other clients don't send one.
 */
function rejectForeignRequests(baseUrl: BaseUrl) {
  return async function rejectForeign(c: RequestContext, next: Next): Promise<void> {
    c.set("route", "/mcp");
    const { headers } = c.req.raw;
    const origin = headers.get("origin");
    const fromTrustedProxy = c.env?.fromTrustedProxy ?? false;
    if (
      origin !== null && !isOwnPage(origin, { headers, base: baseUrl(headers), fromTrustedProxy })
    ) {
      throw new ApiError("FOREIGN_ORIGIN", `Requests from pages of "${origin}" are not allowed`);
    }
    if (c.req.method !== "POST") throw methodNotAllowed(c.req.method, ["POST"]);
    await next();
  };
}

/**
 * Returns the values of a fixed scope, in the query and in a header such as `Commonplace-User-Id`.
 * Clients that insert a value into their configuration can't encode it for a URL.
 */
function fixedValues(c: RequestContext, key: string): string[] {
  const header = c.req.header(`commonplace-${key.replace("_", "-")}`);
  return [...c.req.queries(key) ?? [], ...header === undefined ? [] : [decodeHeader(header)]];
}

/** Returns a header's text. The runtime reads it as Latin-1, but many clients send UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}

function serveMcp(
  handleMessage: MessageHandler,
  checkConnection: ConnectionCheck,
  baseUrl: BaseUrl,
) {
  return async function serveMessage(c: RequestContext): Promise<Response> {
    const { project, projectId, permissions, fixed = {} } = c.get("principal")!;
    checkQueryEncoding(c.req.url);
    const caller: Caller = {
      principal: { project, projectId, permissions },
      fixed: combineFixedScopes(fixed, parseFixedScope((key) => fixedValues(c, key))),
      profile: parseProfile(c.req.queries("tools") ?? []),
      base: baseUrl(c.req.raw.headers) ?? originOf(c.req.raw.headers),
      requestId: c.get("requestId"),
    };
    const request = c.req.raw;
    const limit = { bytes: LIMITS.documentBodyBytes };
    const bytes = await readBody(request, limit, () => requireJson(request.headers));
    const message = readMessage(bytes);
    if (message instanceof ApiError) return parseErrorResponse(c, message);
    checkConnection(c, message.parsed);
    // Leave out the body (already read) and the signal. Deno aborts the latter after every
    // response.
    const bare = new Request("http://localhost/mcp", { method: "POST", headers: request.headers });
    const response = await handleMessage(bare, message.parsed, caller);
    response.headers.set("x-request-id", caller.requestId);
    return response;
  };
}

function readMessage(bytes: Uint8Array): { readonly parsed: unknown } | ApiError {
  try {
    return { parsed: parseJson(decodeUtf8(bytes)) };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function parseErrorResponse(c: RequestContext, { code, message }: ApiError): Response {
  const error = { code: PARSE_ERROR, message, data: { code } };
  return respond(c, { status: 400, body: { jsonrpc: "2.0", id: null, error } });
}
