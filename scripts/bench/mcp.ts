/** Compares MCP tools with the equivalent REST calls: a search, and reading one memory by id. */

import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { type Row, statsRow } from "./report.ts";
import { AUTH_HEADERS, copyDirectory, seededDirectory } from "./seed.ts";

const QUERY_COUNT = 500;
const PROTOCOL_VERSION = "2026-07-28";

/** Alternates between REST and MCP, with a single client and the smallest data set. */
export async function benchMcp(options: BenchOptions, seeds: string): Promise<Row[]> {
  const size = Math.min(...options.sizes);
  const directory = copyDirectory(await seededDirectory(seeds, size));
  const server = await ServerProcess.start(directory, { logLevel: options.logLevel });
  const rows: Row[] = [];
  try {
    for (const [name, requests] of Object.entries(await toolRequests(server, size))) {
      let turn = 0;
      const load = {
        clients: 1,
        maxCalls: MAX_CALLS,
        next: () => requests[turn++ % requests.length]!,
      };
      await runLoad(server, { ...load, seconds: options.warmUpSeconds });
      const stats = await runLoad(server, { ...load, seconds: options.seconds });
      rows.push(statsRow(name, `${size} generated`, 1, stats));
    }
  } finally {
    await server.stop();
    await rm(directory);
  }
  return rows;
}

async function toolRequests(
  server: ServerProcess,
  size: number,
): Promise<Readonly<Record<string, Uint8Array[]>>> {
  const text = new TextGenerator(size + 1);
  const queries = Array.from({ length: QUERY_COUNT }, () => ({ query: text.query() }));
  const connection = await HttpConnection.open(server.url);
  const search = (query: unknown) =>
    encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, query);
  const found = parseJson(await connection.send(search(queries[0])));
  connection.close();
  const ids: string[] = found.results.map(({ id }: { id: string }) => id);
  return {
    "get, REST": ids.map((id) => encodeRequest("GET", `/v1/memories/${id}`, AUTH_HEADERS)),
    "get, MCP": ids.map((memory_id) => toolRequest("get_memory", { memory_id })),
    "search, REST": queries.map(search),
    "search, MCP": queries.map((query) => toolRequest("search_memories", query)),
  };
}

/** Returns a tool call in the form used by the official client. */
function toolRequest(name: string, args: unknown): Uint8Array {
  const headers = {
    ...AUTH_HEADERS,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": PROTOCOL_VERSION,
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
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
