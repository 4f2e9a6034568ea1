/** One server of the protocol for one caller: the SDK speaks, the toolbox and the resources act. */

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Foundation } from "../contract/foundation.ts";
import type { DocumentService } from "../documents/service.ts";
import type { EventService } from "../events/service.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { MemoryService } from "../memories/service.ts";
import { Fence } from "./fence.ts";
import { readDocumentEndpoint } from "./read_document.ts";
import { Resources } from "./resources.ts";
import { type Caller, Toolbox } from "./toolbox.ts";

/** Read by models at the beginning of a conversation. */
export const INSTRUCTIONS =
  "Commonplace is a durable memory and a library of sources. Search it before answering what may " +
  "depend on earlier conversations (search_memories) or on documents (search_documents; cite " +
  "the document and its bytes). Keep what will matter later with add_memory. Memories belong to " +
  "scopes: user_id, agent_id, run_id; give the same ones when adding and when searching.";

/** What MCP is made of. */
export interface McpDeps {
  readonly foundation: Foundation;
  readonly endpoints: readonly Endpoint[];
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly events: EventService;
  readonly log: Log;
  readonly version: string;
}

/** Makes servers, one for each request or connection; they share everything that takes making. */
export function serverMaker(deps: McpDeps): (caller: () => Caller) => Server {
  const { foundation: { store }, documents, log } = deps;
  const fence = new Fence({ ...deps, store });
  const toolbox = new Toolbox({
    foundation: deps.foundation,
    endpoints: [...deps.endpoints, readDocumentEndpoint(documents)],
    fence,
    log,
  });
  const resources = new Resources({ ...deps, store, fence });
  const identity = { name: "commonplace", title: "Commonplace", version: deps.version };
  const options = { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS };

  return function makeServer(caller) {
    const server = new Server(identity, options);
    server.setRequestHandler("tools/list", () => ({ tools: toolbox.list(caller()) }));
    server.setRequestHandler("tools/call", async ({ params }) => {
      if (!toolbox.has(params.name)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${params.name}"`);
      }
      return await toolbox.call(caller(), params.name, params.arguments ?? {});
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
  const told = { code, ...(details ? { details } : {}) };
  return new ProtocolError(
    error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    message,
    told,
  );
}
