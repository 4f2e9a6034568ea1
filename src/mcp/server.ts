/** One server of the protocol for one caller: the SDK speaks, the toolbox and the resources act. */

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import type { Endpoint } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { DocumentService } from "../documents/service.ts";
import type { EventService } from "../events/service.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { MemoryService } from "../memories/service.ts";
import { ScopeGuard } from "./scope_guard.ts";
import { readDocumentEndpoint } from "./read_document.ts";
import { Resources } from "./resources.ts";
import { type Caller, ToolRegistry } from "./tool_registry.ts";

/** Read by models at the beginning of a conversation. */
export const INSTRUCTIONS =
  "Commonplace is a durable memory and a library of sources. Search it before answering what may " +
  "depend on earlier conversations (search_memories) or on documents (search_documents; cite " +
  "the document and its bytes). Keep what will matter later with add_memory. Memories belong to " +
  "scopes: user_id, agent_id, run_id; give the same ones when adding and when searching.";

/** What MCP is made of. */
export interface McpDeps {
  readonly appContext: AppContext;
  readonly endpoints: readonly Endpoint[];
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly events: EventService;
  readonly log: Log;
  readonly version: string;
}

/** Makes servers, one for each request or connection; they share everything that takes making. */
export function createServerFactory(deps: McpDeps): (caller: () => Caller) => Server {
  const { appContext: { store }, documents, log } = deps;
  const scopeGuard = new ScopeGuard({ ...deps, store });
  const toolRegistry = new ToolRegistry({
    appContext: deps.appContext,
    endpoints: [...deps.endpoints, readDocumentEndpoint(documents)],
    scopeGuard,
    log,
  });
  const resources = new Resources({ ...deps, store, scopeGuard });
  const identity = { name: "commonplace", title: "Commonplace", version: deps.version };
  const options = { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS };

  return function makeServer(caller) {
    const server = new Server(identity, options);
    server.setRequestHandler("tools/list", () => ({ tools: toolRegistry.list(caller()) }));
    server.setRequestHandler("tools/call", async ({ params }) => {
      if (!toolRegistry.has(params.name)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${params.name}"`);
      }
      return await toolRegistry.call(caller(), params.name, params.arguments ?? {});
    });
    server.setRequestHandler(
      "resources/templates/list",
      () => ({ resourceTemplates: resources.templates(caller()) }),
    );
    // There may be millions: they are found by searching, and named by the templates.
    server.setRequestHandler("resources/list", () => ({ resources: [] }));
    server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      try {
        return await resources.read(caller(), uri);
      } catch (error) {
        throw protocolError(error, uri);
      }
    });
    return server;
  };
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
