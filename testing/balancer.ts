/** A reverse proxy that sends each request to the next of several servers in turn. */

import {
  createServer,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";

/** A running balancer. */
export interface Balancer {
  readonly url: string;
  /** Sends further requests to these servers. */
  use(urls: readonly string[]): void;
  /** Number of requests so far. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * Starts a balancer on a port of this machine. A server that refuses a connection is passed over. If
 * one ends the connection before its response is complete, the client's connection ends too.
 *
 * @param port defaults to a free one
 */
export async function startBalancer(urls: readonly string[], port = 0): Promise<Balancer> {
  let targets = [...urls];
  let turn = 0;
  let requests = 0;

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isGone = false;
    response.on("close", () => isGone = true);
    const upstream = await connectNext();
    if (isGone) return void upstream?.destroy();
    if (upstream === null) return void response.writeHead(503, { "retry-after": "1" }).end();
    const forwarded = send({
      method: request.method!,
      path: request.url!,
      headers: { ...request.headers, connection: "close" },
      createConnection: () => upstream,
    }, (received) => {
      const { connection: _, ...headers } = received.headers;
      response.writeHead(received.statusCode!, headers);
      received.on("error", () => response.destroy());
      received.on("aborted", () => response.destroy());
      received.pipe(response);
    });
    forwarded.on("error", () => {
      if (!response.headersSent) request.socket.destroy();
    });
    request.on("error", () => forwarded.destroy());
    response.on("close", () => {
      if (!response.writableFinished) forwarded.destroy();
    });
    // Some requests are refused before their body arrives.
    forwarded.flushHeaders();
    request.pipe(forwarded);
  }

  /** Returns a connection to the next server that accepts one, or null if none does. */
  async function connectNext(): Promise<Socket | null> {
    const first = turn++ % targets.length;
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      const { hostname, port } = new URL(target);
      const socket = await open(Number(port), hostname).catch(() => null);
      if (socket !== null) return socket;
    }
    return null;
  }

  const server = createServer((request, response) => {
    requests++;
    forward(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    use: (next) => void (targets = [...next]),
    get requests() {
      return requests;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function open(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket));
    socket.on("error", reject);
  });
}
