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
  /** Resolves once a server that isn't used any more has responded to all requests. */
  idle(url: string): Promise<void>;
  /** Called with each response, and with null if a connection ended before it was complete. */
  onResponse: (response: IncomingMessage | null) => void;
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
  /** Open connections to each server. There's one for each request. */
  const connections = new Map<string, Set<Socket>>();

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isGone = false;
    response.on("close", () => isGone = true);
    const cut = () => {
      if (!isGone) balancer.onResponse(null);
      request.socket.destroy();
    };
    const upstream = await connectNext();
    if (isGone) return void upstream?.destroy();
    if (upstream === null) return void response.writeHead(503, { "retry-after": "1" }).end();
    const forwarded = send({
      method: request.method!,
      path: request.url!,
      headers: { ...request.headers, connection: "close" },
      createConnection: () => upstream,
    }, (received) => {
      balancer.onResponse(received);
      const { connection: _, ...headers } = received.headers;
      response.writeHead(received.statusCode!, headers);
      received.on("error", cut);
      received.on("aborted", cut);
      received.pipe(response);
    });
    forwarded.on("error", () => {
      if (!response.headersSent) cut();
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
      if (!targets.includes(target)) continue;
      const { hostname, port } = new URL(target);
      const socket = connect(Number(port), hostname);
      track(target, socket);
      if (await isConnected(socket)) return socket;
    }
    return null;
  }

  function track(target: string, socket: Socket): void {
    const open = connections.get(target) ?? new Set();
    connections.set(target, open.add(socket));
    socket.on("close", () => open.delete(socket));
  }

  const server = createServer((request, response) => {
    requests++;
    forward(request, response).catch(() => request.socket.destroy());
  });
  // A client that pauses for longer would lose its next request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    use: (next) => void (targets = [...next]),
    get requests() {
      return requests;
    },
    async idle(url) {
      const open = [...connections.get(url) ?? []];
      await Promise.all(open.map((socket) => new Promise((done) => socket.on("close", done))));
    },
    onResponse: () => {},
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return balancer;
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
  });
}
