/**
 * MCP over HTTP at `POST /mcp`. Stateless, authenticated with API keys. The protocol's library and
 * the schemas of the tools are loaded by the first message: they take 200 ms of CPU.
 */

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
import type { MessageHandler } from "./message_handler.ts";
import { parseProfile } from "./profiles.ts";
import { checkConnection, signInOptions } from "./sign_in.ts";
import { combineFixedScopes, parseFixedScope } from "./scopes.ts";
import type { McpDeps } from "./server.ts";
import type { Caller } from "./tool_registry.ts";

/** JSON-RPC code for messages that aren't valid JSON (jsonrpc.org/specification). */
const PARSE_ERROR = -32_700;

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
  let loaded: Promise<MessageHandler> | undefined;
  const load = () =>
    loaded ??= import("./message_handler.ts")
      .then(({ createMessageHandler }) => createMessageHandler(deps));
  return {
    mount(app) {
      app.use("/mcp", rejectForeignRequests(deps.baseUrl));
      app.use("/mcp", authenticate(deps, signInOptions(deps)));
      app.post("/mcp", serveMcp(load, deps.baseUrl));
    },
    async close() {
      // If it couldn't be loaded, the messages have failed, and there's nothing to close.
      const handler = await loaded?.catch(() => undefined);
      await handler?.close();
    },
  };
}

/**
 * Returns middleware that rejects requests from pages on other hosts, then any method but POST. The
 * protocol requires this before the key is checked. Browsers send the page's origin; other clients
 * don't send one.
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

function serveMcp(load: () => Promise<MessageHandler>, baseUrl: BaseUrl) {
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
    const handler = await load();
    checkConnection(c, message.parsed, handler.requiredPermission, baseUrl);
    // Leave out the body (already read) and the signal. Deno aborts the latter after every
    // response.
    const bare = new Request("http://localhost/mcp", { method: "POST", headers: request.headers });
    const response = await handler.handle(bare, message.parsed, caller);
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
