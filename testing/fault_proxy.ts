/**
 * A proxy in front of a server that makes connections fail, for tests of clients. The first part of
 * a path selects what happens, e.g. `http://127.0.0.1:PORT/cut/v1/memories`. See
 * clients/cases/README.md for all of them.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "./free_port.ts";

/** A response that reached the client, or that it lost. */
export interface Exchange {
  readonly method: string;
  /** Without the part that selects the fault, and without the query. */
  readonly path: string;
  readonly status: number;
  /** Error code in the body, or null. */
  readonly code: string | null;
  /** Whether the client got the whole response. */
  readonly delivered: boolean;
}

/** A running proxy. */
export interface FaultProxy {
  readonly url: string;
  /** An address at which nothing listens. */
  readonly unreachableUrl: string;
  /** All responses so far, in order. */
  readonly exchanges: readonly Exchange[];
  stop(): Promise<void>;
}

/** The body of a request or response. */
interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Uint8Array;
}

/** Starts a proxy for the server at `target`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const exchanges: Exchange[] = [];
  const attempted = new Set<string>();

  /** Returns whether this is the first attempt at a request. Retries repeat the idempotency key. */
  function isFirstAttempt(request: IncomingMessage, body: Uint8Array): boolean {
    const key = request.headers["idempotency-key"] ?? "";
    const digest = createHash("sha256").update(body).digest("hex");
    const identity = `${request.method} ${request.url} ${key} ${digest}`;
    if (attempted.has(identity)) return false;
    attempted.add(identity);
    return true;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, target);
    const at = url.pathname.indexOf("/v1/");
    const [mode, ...details] = url.pathname.slice(1, Math.max(at, 1)).split("/");
    const path = url.pathname.slice(at);
    const body = await bytesOf(request);
    if (mode === "hang") return;
    const first = isFirstAttempt(request, body);
    const received = made(mode!, details, first) ??
      await forward(target + path + url.search, request, body);
    const lost = mode === "drop" || (first && (mode === "cut" || mode === "truncate"));
    const { status } = received;
    exchanges.push({
      method: request.method!,
      path,
      status,
      code: codeOf(received),
      delivered: !lost,
    });
    const headers = { ...received.headers, "content-length": String(received.body.length) };
    delete (headers as IncomingMessage["headers"])["transfer-encoding"];
    if (!lost) return void response.writeHead(status, headers).end(received.body);
    if (mode === "truncate" && status !== 204) {
      response.writeHead(status, headers);
      const half = received.body.subarray(0, received.body.length / 2);
      await new Promise<void>((resolve) => response.write(half, () => resolve()));
    }
    request.socket.destroy();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      response.destroy(error);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    unreachableUrl: `http://127.0.0.1:${await freePort()}`,
    exchanges,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a response that the proxy makes up itself, or null if the server has to respond. */
function made(mode: string, details: readonly string[], first: boolean): HttpResponse | null {
  switch (mode) {
    case "record":
    case "cut":
    case "drop":
    case "truncate":
      return null;
    case "busy":
      return first ? errorResponse(503, "SERVICE_STOPPING", { "retry-after": "0" }) : null;
    case "error":
      return errorResponse(Number(details[0]), details[1]!, {});
    case "html": {
      const body = new TextEncoder().encode("<!doctype html><title>Welcome</title>");
      return { status: 200, headers: { "content-type": "text/html" }, body };
    }
    default:
      throw new Error(`Unknown fault "${mode}"`);
  }
}

function errorResponse(
  status: number,
  code: string,
  headers: Record<string, string>,
): HttpResponse {
  const text = JSON.stringify({ code, message: "Made by the proxy", request_id: "req_proxy" });
  return {
    status,
    headers: { ...headers, "content-type": "application/json", "x-request-id": "req_proxy" },
    body: new TextEncoder().encode(text),
  };
}

function codeOf({ status, body }: HttpResponse): string | null {
  return status < 400 ? null : JSON.parse(new TextDecoder().decode(body)).code;
}

/** Sends a request to the server, byte for byte, and reads the whole response. */
function forward(url: string, request: IncomingMessage, body: Uint8Array): Promise<HttpResponse> {
  const { "transfer-encoding": _, connection: __, ...headers } = request.headers;
  return new Promise((resolve, reject) => {
    const sent = sendRequest(url, {
      method: request.method!,
      headers: { ...headers, host: new URL(url).host, "content-length": String(body.length) },
    }, (response) => {
      bytesOf(response).then((bytes) => {
        resolve({ status: response.statusCode!, headers: response.headers, body: bytes });
      }, reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function bytesOf(message: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
