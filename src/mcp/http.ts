/** MCP over HTTP: `POST /mcp`, stateless, with the keys of the API. */

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Next } from "hono";
import type { Mount } from "../http/app.ts";
import { authenticate, type KeyDeps } from "../http/authenticate.ts";
import { decodeUtf8, parseJson, readBody, requireJson } from "../http/body.ts";
import { methodNotAllowed } from "../http/mount.ts";
import { isOwnOrigin } from "../http/origin.ts";
import { type RequestContext, respond } from "../http/request.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { describeError } from "../kernel/log.ts";
import { parseFixedScope } from "./scopes.ts";
import { createServerFactory, type McpDeps } from "./server.ts";
import type { Caller } from "./tool_registry.ts";

/** A JSON-RPC code: what arrived is no JSON (jsonrpc.org/specification). */
const PARSE_ERROR = -32_700;

/** What answers a request of the protocol, whose body has been read. */
type MessageHandler = (request: Request, parsed: unknown, caller: Caller) => Promise<Response>;

/** Where MCP is served. */
export interface McpMount {
  readonly mount: Mount;
  /** Ends what streams are still open. */
  close(): Promise<void>;
}

/** Opens the door at `/mcp`. */
export function mountMcp(deps: McpDeps & KeyDeps): McpMount {
  const makeServer = createServerFactory(deps);
  const onerror = (error: Error) =>
    deps.log.debug("mcp request refused", { error: describeError(error) });
  const handler = createMcpHandler(
    ({ authInfo }) => makeServer(() => authInfo!.extra!["caller"] as Caller),
    {
      legacy: "reject",
      // Nothing is ever announced, so nobody needs to hold a stream open for it.
      maxSubscriptions: 0,
      onerror,
    },
  );
  const handleMessage: MessageHandler = async (request, parsed, caller) => {
    if (await isLegacyRequest(request, parsed)) {
      // These may send several calls at once: each is a request of its own then.
      let calls = 0;
      const next = () => deps.appContext.ids.next("req");
      const server = makeServer(() => calls++ === 0 ? caller : { ...caller, requestId: next() });
      server.onerror = onerror;
      return await handleLegacyMessage(server, request, parsed);
    }
    const { projectId, permissions } = caller.principal;
    // The key itself goes no further than here.
    const authInfo = {
      token: "",
      clientId: projectId,
      scopes: [...permissions],
      extra: { caller },
    };
    return await handler.fetch(request, { authInfo, parsedBody: parsed });
  };
  return {
    mount(app) {
      app.use("/mcp", rejectForeignRequests);
      app.use("/mcp", authenticate(deps));
      app.post("/mcp", serveMcp(handleMessage));
    },
    close: () => handler.close(),
  };
}

/**
 * Answers clients of the revisions before 2026-07-28. As one JSON, where the SDK by itself answers with
 * a stream of one event: clients give events a length, which a large resource is beyond.
 */
async function handleLegacyMessage(
  server: Server,
  request: Request,
  parsed: unknown,
): Promise<Response> {
  // A call taken back by the batch that it came in would never be answered, nor would the batch.
  server.removeNotificationHandler("notifications/cancelled");
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const reply = await transport.handleRequest(request, { parsedBody: parsed });
    if (reply.status !== 200 || !Array.isArray(parsed)) return reply;
    // A batch of one call is answered by the SDK as if it were no batch.
    return Response.json([await reply.json()].flat());
  } finally {
    await server.close();
  }
}

/**
 * Before the key, as the protocol demands: pages of other hosts, then every method but POST. A
 * browser names the page that sends a request, a client that is no browser names none.
 */
async function rejectForeignRequests(c: RequestContext, next: Next): Promise<void> {
  c.set("route", "/mcp");
  const origin = c.req.header("origin");
  if (origin !== undefined && !isOwnOrigin(c.req.raw.headers, origin)) {
    throw new ApiError("FOREIGN_ORIGIN", `Requests from pages of "${origin}" are not taken`);
  }
  if (c.req.method !== "POST") throw methodNotAllowed(c.req.method, ["POST"]);
  await next();
}

function serveMcp(handleMessage: MessageHandler) {
  return async function serveMessage(c: RequestContext): Promise<Response> {
    const { project, projectId, permissions } = c.get("principal")!;
    const caller: Caller = {
      principal: { project, projectId, permissions },
      fixed: parseFixedScope((key) => c.req.queries(key) ?? []),
      requestId: c.get("requestId"),
    };
    const request = c.req.raw;
    const limit = { bytes: LIMITS.documentBodyBytes, code: "REQUEST_TOO_LARGE" } as const;
    const bytes = await readBody(request, limit, () => requireJson(request.headers));
    const message = readMessage(bytes);
    if (message instanceof ApiError) return parseErrorResponse(c, message);
    // Without the body, which is read, and without the signal, which Deno aborts after every answer.
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
