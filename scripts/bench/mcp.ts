/** What a tool costs over the same call by REST: one memory by its id, and a search. */

import { encodeRequest, HttpConnection, jsonOf } from "../../tests/connection.ts";
import { ServerProcess } from "../../tests/server_process.ts";
import { rm } from "../../tests/temporary.ts";
import { GeneratedText } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { MOST_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { figuresRow, type Row } from "./report.ts";
import { AUTHORIZED, copyOf, seededDirectory } from "./seed.ts";

const QUERIES = 500;
const REVISION = "2026-07-28";

/** REST and MCP in turn, by one client, on the smallest of the sizes. */
export async function benchMcp(options: BenchOptions, seeds: string): Promise<Row[]> {
  const size = Math.min(...options.sizes);
  const directory = copyOf(await seededDirectory(seeds, size));
  const server = await ServerProcess.start(directory, { logLevel: options.logLevel });
  const rows: Row[] = [];
  try {
    for (const [what, requests] of Object.entries(await requestsFor(server, size))) {
      let turn = 0;
      const load = {
        clients: 1,
        mostCalls: MOST_CALLS,
        next: () => requests[turn++ % requests.length]!,
      };
      await runLoad(server, { ...load, seconds: options.warmUpSeconds });
      const figures = await runLoad(server, { ...load, seconds: options.seconds });
      rows.push(figuresRow(what, `${size} generated`, 1, figures));
    }
  } finally {
    await server.stop();
    await rm(directory);
  }
  return rows;
}

async function requestsFor(
  server: ServerProcess,
  size: number,
): Promise<Readonly<Record<string, Uint8Array[]>>> {
  const text = new GeneratedText(size + 1);
  const queries = Array.from({ length: QUERIES }, () => ({ query: text.query() }));
  const connection = await HttpConnection.open(server.url);
  const search = (query: unknown) =>
    encodeRequest("POST", "/v1/memories/search", AUTHORIZED, query);
  const found = jsonOf(await connection.send(search(queries[0])));
  connection.close();
  const ids: string[] = found.results.map(({ id }: { id: string }) => id);
  return {
    "get, REST": ids.map((id) => encodeRequest("GET", `/v1/memories/${id}`, AUTHORIZED)),
    "get, MCP": ids.map((memory_id) => toolRequest("get_memory", { memory_id })),
    "search, REST": queries.map(search),
    "search, MCP": queries.map((query) => toolRequest("search_memories", query)),
  };
}

/** A call of a tool as the official client sends it. */
function toolRequest(name: string, args: unknown): Uint8Array {
  const headers = {
    ...AUTHORIZED,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name, arguments: args, _meta };
  return encodeRequest("POST", "/mcp", headers, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params,
  });
}
