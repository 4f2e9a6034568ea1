/** Ports for programs that can't choose a free one themselves, and for URLs without a server. */

import { createServer } from "node:net";

/** Range to choose from. Systems choose ports from 16,000 on for programs that ask for any. */
const [MIN_PORT, MAX_PORT] = [10_000, 16_000];

/**
 * Returns a port that no one uses. Tests that run at the same time ask the system for any port, so
 * they don't get this one before the caller opens it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer().on("error", () => resolve(false));
  server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  return promise;
}
