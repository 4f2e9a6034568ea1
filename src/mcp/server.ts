/**
 * Creates protocol servers. The SDK takes care of the protocol; the tool registry and the resources
 * do the actual work.
 */

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import type { Endpoint, Permission } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { DocumentService } from "../documents/service.ts";
import type { EventService } from "../events/service.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { MemoryService } from "../memories/service.ts";
import { ScopeGuard } from "./scope_guard.ts";
import { readDocumentEndpoint } from "./read_document.ts";
import { Prompts } from "./prompts.ts";
import { researchEndpoints } from "./research_endpoints.ts";
import { Resources } from "./resources.ts";
import { type Caller, ToolRegistry } from "./tool_registry.ts";

/**
 * Instructions read by models at the start of a conversation, without the sentences that name tools
 * the caller doesn't have.
 */
const INSTRUCTIONS =
  "Commonplace stores memories and documents that last beyond this conversation. Before you " +
  "reply to anything that can depend on earlier conversations, call search_memories. For " +
  "questions about stored documents, call search_documents and cite the document and its byte " +
  "range. Use add_memory to store facts, preferences and decisions that will be useful later. " +
  "Memories belong to scopes (user_id, agent_id, run_id): pass the same scopes when you add and " +
  "when you search.";

/** Dependencies for MCP. */
export interface McpDeps {
  readonly appContext: AppContext;
  readonly endpoints: readonly Endpoint[];
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly events: EventService;
  readonly log: Log;
  readonly version: string;
}

/** Creates servers, and knows what their messages require. */
export interface ServerFactory {
  /** @param requestId called once for each request */
  (caller: Omit<Caller, "requestId">, requestId: () => string): Server;
  /** Returns the permission that a message requires, or undefined if any caller can send it. */
  requiredPermission(message: unknown): Permission | undefined;
}

/**
 * Returns a function that creates a server for a single request or connection. Tools and resources
 * are shared by all servers.
 */
export function createServerFactory(deps: McpDeps): ServerFactory {
  const { appContext: { store }, documents, log } = deps;
  const scopeGuard = new ScopeGuard({ ...deps, store });
  const toolRegistry = new ToolRegistry({
    appContext: deps.appContext,
    endpoints: [
      ...deps.endpoints,
      readDocumentEndpoint(documents),
      ...researchEndpoints({ ...deps, store }),
    ],
    scopeGuard,
    log,
  });
  const prompts = new Prompts({ ...deps, store, toolRegistry });
  const resources = new Resources({ ...deps, store, scopeGuard });
  const identity = { name: "commonplace", title: "Commonplace", version: deps.version };
  const capabilities = { tools: {}, resources: {}, prompts: {} };

  return Object.assign(makeServer, { requiredPermission });

  function requiredPermission(message: unknown): Permission | undefined {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    if (method === "resources/read") return "memory:read";
    if (method !== "tools/call" || typeof params?.name !== "string") return undefined;
    return toolRegistry.permissionOf(params.name);
  }

  function makeServer(owner: Omit<Caller, "requestId">, requestId: () => string): Server {
    const caller = (): Caller => ({ ...owner, requestId: requestId() });
    const instructions = toolRegistry.textFor(owner, INSTRUCTIONS);
    const server = new Server(identity, { capabilities, instructions });
    server.setRequestHandler("tools/list", () => ({ tools: toolRegistry.list(caller()) }));
    server.setRequestHandler("tools/call", async ({ params }) => {
      const current = caller();
      if (!toolRegistry.has(current, params.name)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool "${params.name}"`);
      }
      return await toolRegistry.call(current, params.name, params.arguments ?? {});
    });
    server.setRequestHandler(
      "resources/templates/list",
      () => ({ resourceTemplates: resources.templates(caller()) }),
    );
    // There can be millions of resources, so we don't list them. Clients find them by searching,
    // and the templates describe their URIs.
    server.setRequestHandler("resources/list", () => ({ resources: [] }));
    server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      try {
        return await resources.read(caller(), uri);
      } catch (error) {
        throw protocolError(error, uri);
      }
    });
    server.setRequestHandler("prompts/list", () => ({ prompts: prompts.list(caller()) }));
    server.setRequestHandler("prompts/get", async ({ params }) => {
      try {
        return await prompts.get(caller(), params.name, params.arguments ?? {});
      } catch (error) {
        throw protocolError(error, params.name);
      }
    });
    return server;
  }
}

function protocolError(error: unknown, uri: string): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 404) return new ResourceNotFoundError(uri, error.message);
  const { code, message, details } = error;
  const data = { code, ...(details ? { details } : {}) };
  return new ProtocolError(
    error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    message,
    data,
  );
}
