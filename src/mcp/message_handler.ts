/** Handles the messages of `POST /mcp` with the protocol's library. */

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Permission } from "../contract/endpoint.ts";
import { describeError } from "../kernel/log.ts";
import { createServerFactory, type McpDeps } from "./server.ts";
import type { Caller } from "./tool_registry.ts";

/** Responds to messages, and knows what they require. */
export interface MessageHandler {
  /** Responds to a message whose body has already been parsed. */
  handle(request: Request, parsed: unknown, caller: Caller): Promise<Response>;
  /** Returns the permission that a message requires, or undefined if any caller can send it. */
  requiredPermission(message: unknown): Permission | undefined;
  /** Closes any open streams. */
  close(): Promise<void>;
}

/** Creates a message handler. */
export function createMessageHandler(deps: McpDeps): MessageHandler {
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
  return {
    async handle(request, parsed, caller) {
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
    },
    requiredPermission: makeServer.requiredPermission,
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
