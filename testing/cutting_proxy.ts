/** A TCP proxy in front of a database server that cuts connections at a chosen moment. */

import { connect, createServer, type Socket } from "node:net";

/** What to do with a connection that sends a commit. */
export type Cut =
  /** The commit doesn't reach the server. */
  | "before the commit"
  /** The server commits, and its response is lost. */
  | "before the response"
  /** The server commits, and its response is lost. The client still sees an open connection. */
  | "without a sign";

/** A running proxy. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connection of the next commit. */
  cutNextCommit(cut: Cut): void;
  /** Number of connections that were cut. */
  readonly cuts: number;
  /**
   * Forwards nothing any more. Connections stay open, like those to a machine that vanished, but the
   * server notices when a client ends its own.
   */
  silence(): void;
  /** Accepts further connections, but reaches the server only after the returned function is called. */
  holdConnections(): () => void;
  close(): void;
}

/** PostgreSQL's simple query message for `commit`. */
const COMMIT = "commit\u0000";

/** Starts a proxy for a server on this machine. */
export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  let next: Cut | null = null;
  let cuts = 0;
  let isSilent = false;
  let opened = Promise.resolve();
  const sockets = new Set<Socket>();
  // Otherwise, a client that ends a silent connection would get a response.
  const server = createServer({ allowHalfOpen: true }, async (client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    client.on("end", () => isSilent || client.end());
    await opened;
    const upstream = connect(serverPort, "127.0.0.1");
    let swallowing: Cut | null = null;
    const end = () => {
      if (!isSilent) client.destroy();
      upstream.destroy();
    };
    client.on("end", () => isSilent && upstream.destroy());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", end);
    }
    client.on("data", (bytes) => {
      if (isSilent) return;
      const cut = bytes.toString("latin1").includes(COMMIT) ? next : null;
      if (cut === null) return void upstream.write(bytes);
      next = null;
      cuts++;
      if (cut === "before the commit") return end();
      swallowing = cut;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isSilent) return;
      if (swallowing === null) return void client.write(bytes);
      // The response to the commit has arrived here, so the server has committed.
      if (swallowing === "before the response" && bytes.toString("latin1").includes("COMMIT")) {
        end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    cutNextCommit: (cut) => void (next = cut),
    silence: () => void (isSilent = true),
    get cuts() {
      return cuts;
    },
    holdConnections() {
      const held = Promise.withResolvers<void>();
      opened = held.promise;
      return () => {
        opened = Promise.resolve();
        held.resolve();
      };
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
