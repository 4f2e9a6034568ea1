/** MCP over HTTP: `POST /mcp`, stateless, with the keys of the API. */

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Next } from "hono";
import type { Door } from "../http/app.ts";
import { authenticate, type KeyDeps } from "../http/authenticate.ts";
import { decodeUtf8, parseJson, readBody, requireJson } from "../http/body.ts";
import { methodNotAllowed } from "../http/mount.ts";
import { isOwnOrigin } from "../http/origin.ts";
import { type RequestContext, respond } from "../http/request.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { describeError } from "../kernel/log.ts";
import { fixedScope } from "./scopes.ts";
import { type McpDeps, serverMaker } from "./server.ts";
import type { Caller } from "./toolbox.ts";

/** A JSON-RPC code: what arrived is no JSON (jsonrpc.org/specification). */
const PARSE_ERROR = -32_700;

/** What answers a request of the protocol, whose body has been read. */
type Answer = (request: Request, parsed: unknown, caller: Caller) => Promise<Response>;

/** Where MCP is served. */
export interface McpDoor {
  readonly door: Door;
  /** Ends what streams are still open. */
  close(): Promise<void>;
}

/** Opens the door at `/mcp`. */
export function openMcp(deps: McpDeps & KeyDeps): McpDoor {
  const makeServer = serverMaker(deps);
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
  const answer: Answer = async (request, parsed, caller) => {
    if (await isLegacyRequest(request, parsed)) {
      // These may send several calls at once: each is a request of its own then.
      let calls = 0;
      const next = () => deps.foundation.ids.next("req");
      const server = makeServer(() => calls++ === 0 ? caller : { ...caller, requestId: next() });
      server.onerror = onerror;
      return await answerOld(server, request, parsed);
    }
    const { projectId, permissions } = caller.holder;
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
    door(app) {
      app.use("/mcp", refuseOthers);
      app.use("/mcp", authenticate(deps));
      app.post("/mcp", serveMcp(answer));
    },
    close: () => handler.close(),
  };
}

/**
 * Answers clients of the revisions before 2026-07-28. As one JSON, where the SDK by itself answers with
 * a stream of one event: clients give events a length, which a large resource is beyond.
 */
async function answerOld(server: Server, request: Request, parsed: unknown): Promise<Response> {
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
async function refuseOthers(c: RequestContext, next: Next): Promise<void> {
  c.set("route", "/mcp");
  const origin = c.req.header("origin");
  if (origin !== undefined && !isOwnOrigin(c.req.raw.headers, origin)) {
    throw new ApiError("FOREIGN_ORIGIN", `Requests from pages of "${origin}" are not taken`);
  }
  if (c.req.method !== "POST") throw methodNotAllowed(c.req.method, ["POST"]);
  await next();
}

function serveMcp(answer: Answer) {
  return async function serveMessage(c: RequestContext): Promise<Response> {
    const { project, projectId, permissions } = c.get("holder")!;
    const caller: Caller = {
      holder: { project, projectId, permissions },
      fixed: fixedScope((key) => c.req.queries(key) ?? []),
      requestId: c.get("requestId"),
    };
    const request = c.req.raw;
    const limit = { bytes: LIMITS.documentBody, code: "REQUEST_TOO_LARGE" } as const;
    const bytes = await readBody(request, limit, () => requireJson(request.headers));
    const message = readMessage(bytes);
    if (message instanceof ApiError) return notJson(c, message);
    // Without the body, which is read, and without the signal, which Deno aborts after every answer.
    const bare = new Request("http://localhost/mcp", { method: "POST", headers: request.headers });
    const answered = await answer(bare, message.parsed, caller);
    answered.headers.set("x-request-id", caller.requestId);
    return answered;
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

function notJson(c: RequestContext, { code, message }: ApiError): Response {
  const error = { code: PARSE_ERROR, message, data: { code } };
  return respond(c, { status: 400, body: { jsonrpc: "2.0", id: null, error } });
}
