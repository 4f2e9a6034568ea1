/** Test client on top of the protocol's official client. */

import { ok, strictEqual } from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import ajvFormats from "ajv-formats";
import type { AnySchema } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/** How the client connects: with the current protocol revision, or the way older clients do. */
export const PROTOCOL_ERAS = ["auto", "legacy"] as const;
export type ProtocolEra = typeof PROTOCOL_ERAS[number];

/** The result of a tool call. */
export interface ToolReply {
  readonly isError: boolean;
  readonly text: string;
  /** The structured result, or the error. */
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  readonly json: any;
}

/** A connected client. */
export interface McpClient {
  readonly client: Client;
  /** Returns the names of the listed tools. */
  tools(): Promise<string[]>;
  /** Calls a tool and checks the result against its output schema. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolReply>;
  close(): Promise<void>;
}

/** Connects over HTTP. */
export async function connectOverHttp(
  url: string,
  key: string,
  era: ProtocolEra = "auto",
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<McpClient> {
  const client = newClient(era);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), {
      requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    }),
  );
  return toMcpClient(client);
}

export function newClient(era: ProtocolEra): Client {
  return new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: era } });
}

/** Wraps a connected client. */
export async function toMcpClient(client: Client): Promise<McpClient> {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const { tools } = await client.listTools();
  const checks = new Map(
    tools.map((each) => [each.name, ajv.compile(each.outputSchema as AnySchema)]),
  );
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      const [content] = result.content as { type: string; text: string }[];
      strictEqual(content?.type, "text");
      if (result.isError === true) {
        return { isError: true, text: content.text, json: JSON.parse(content.text) };
      }
      const check = checks.get(name)!;
      ok(check(result.structuredContent), `${name}: ${ajv.errorsText(check.errors)}`);
      return { isError: false, text: content.text, json: result.structuredContent };
    },
    close: () => client.close(),
  };
}
