/** Sends a steady stream of adds while something else is being measured. */

import { HttpConnection } from "../../testing/http_connection.ts";
import type { ServerProcess } from "../../testing/server_process.ts";

/** How often to send the adds that are due, in milliseconds. */
const SEND_INTERVAL_MS = 10;

/**
 * Sends `perSecond` requests per second while `work` runs, without waiting for the responses.
 *
 * @returns the result of `work`, and how many adds succeeded
 */
export async function withConcurrentAdds<T>(
  server: ServerProcess,
  perSecond: number,
  nextRequest: () => Uint8Array,
  work: () => Promise<T>,
): Promise<readonly [T, added: number]> {
  const idle: HttpConnection[] = [];
  const opened: HttpConnection[] = [];
  const sending: Promise<void>[] = [];
  let [sent, added] = [0, 0];
  const send = async () => {
    const connection = idle.pop() ?? await HttpConnection.open(server.url);
    if (!opened.includes(connection)) opened.push(connection);
    const { status } = await connection.send(nextRequest());
    if (status === 200) added++;
    idle.push(connection);
  };
  const start = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - start) / 1_000 * perSecond);
    for (; sent < due; sent++) sending.push(send());
  }, SEND_INTERVAL_MS);
  try {
    const result = await work();
    clearInterval(timer);
    await Promise.all(sending);
    return [result, added];
  } finally {
    clearInterval(timer);
    opened.forEach((connection) => connection.close());
  }
}
