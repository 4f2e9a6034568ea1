/** MCP for clients that can only spawn processes. Forwards every request to a running server. */

import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { type McpServerFactory, Server } from "@modelcontextprotocol/server";
import { fixedKeys, type FixedScope } from "./scopes.ts";

/** A connection to a running server. */
export interface Proxy {
  readonly factory: McpServerFactory;
  close(): Promise<void>;
}

/** What the proxy connects to. */
export interface ProxyTarget {
  /** Server URL, with or without `/mcp`. */
  readonly url: string;
  readonly key: string;
  readonly fixed: FixedScope;
  readonly version: string;
}

/**
 * Connects to a server. The proxy adds no checks of its own; the server does all of them.
 *
 * @throws Error with a one-line message if the server doesn't respond or rejects the key
 */
export async function openProxy({ url, key, fixed, version }: ProxyTarget): Promise<Proxy> {
  const address = new URL(url.replace(/\/+$/, "").replace(/(\/mcp)?$/, "/mcp"));
  for (const name of fixedKeys(fixed)) address.searchParams.set(name, fixed[name]!);
  const client = new Client({ name: "commonplace-mcp", version }, {
    versionNegotiation: { mode: "auto" },
  });
  const transport = new StreamableHTTPClientTransport(address, {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport).catch((error) => {
    const refused = error instanceof SdkError &&
      error.code === SdkErrorCode.ClientHttpAuthentication;
    const reason = refused ? "the server refuses COMMONPLACE_API_KEY" : (error as Error).message;
    throw new Error(`Can't connect to ${address.origin}${address.pathname}: ${reason}`, {
      cause: error,
    });
  });
  const identity = client.getServerVersion() ?? { name: "commonplace", version };
  const instructions = client.getInstructions();
  const options = {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    ...(instructions === undefined ? {} : { instructions }),
  };
  return {
    factory() {
      const server = new Server(identity, options);
      server.setRequestHandler("tools/list", () => client.listTools());
      server.setRequestHandler(
        "tools/call",
        ({ params: { name, arguments: args = {} } }) => client.callTool({ name, arguments: args }),
      );
      server.setRequestHandler("resources/list", () => client.listResources());
      server.setRequestHandler(
        "resources/templates/list",
        () => client.listResourceTemplates(),
      );
      server.setRequestHandler(
        "resources/read",
        ({ params: { uri } }) => client.readResource({ uri }),
      );
      server.setRequestHandler("prompts/list", () => client.listPrompts());
      server.setRequestHandler(
        "prompts/get",
        ({ params: { name, arguments: args = {} } }) => client.getPrompt({ name, arguments: args }),
      );
      return server;
    },
    close: () => client.close(),
  };
}
