/**
 * MCP over standard input and output. Requests sent before the input ended still get a response.
 */

import type { JSONRPCMessage, McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { PassThrough } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { yieldToEventLoop } from "../kernel/timers.ts";

/** How long to wait for pending responses once the input has ended, in milliseconds. */
const DRAIN_TIMEOUT_MS = 10_000;

/** A connection to the parent process. */
export interface StdioConnection {
  /** Resolves when standard input has ended and every request has been responded to. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves one client. The SDK's transport drops pending requests when its input ends, so a client
 * that writes its requests, closes the stream and only then reads would miss the last responses. To
 * avoid that, we keep the transport's input open until they've been written.
 */
export function openStdio(factory: McpServerFactory): StdioConnection {
  const input = new PassThrough();
  const transport = new StdioServerTransport(input, process.stdout);
  const connection = serveStdio(factory, { transport });
  const pendingIds = new Set<string | number>();
  let resolveDrained = () => {};
  const markResponded = (id: string | number) => {
    if (pendingIds.delete(id) && pendingIds.size === 0) resolveDrained();
  };

  const forwardMessage = transport.onmessage;
  transport.onmessage = (message) => {
    const pendingId = pendingRequestId(message);
    if (pendingId !== null) pendingIds.add(pendingId);
    const cancelled = cancelledId(message);
    if (cancelled !== null) markResponded(cancelled);
    forwardMessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!("method" in message) && message.id !== undefined) markResponded(message.id);
  };
  process.stdin.pipe(input, { end: false });

  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  const closed = ended.then(async () => {
    // The last message read may not have reached the transport yet.
    await yieldToEventLoop();
    if (pendingIds.size === 0) return;
    const drained = Promise.withResolvers<void>();
    resolveDrained = drained.resolve;
    const timer = setTimeout(drained.resolve, DRAIN_TIMEOUT_MS);
    await drained.promise;
    clearTimeout(timer);
  });
  return { closed, close: () => connection.close() };
}

/**
 * Returns the id of a request that expects a response, or null. Subscriptions don't get one until
 * they end.
 */
function pendingRequestId(message: JSONRPCMessage): string | number | null {
  if (!("method" in message) || !("id" in message)) return null;
  return message.method === "subscriptions/listen" ? null : message.id;
}

function cancelledId(message: JSONRPCMessage): string | number | null {
  if (!("method" in message) || message.method !== "notifications/cancelled") return null;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : null;
}
