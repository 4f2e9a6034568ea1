/** A steady stream of adds beside what is measured. */

import { HttpConnection } from "../../testing/http_connection.ts";
import type { ServerProcess } from "../../testing/server_process.ts";

/** How often adds are sent, all that are due by then. */
const SEND_INTERVAL_MS = 10;

/**
 * Sends `perSecond` requests a second while `work` runs, not waiting for one another's answers, and
 * answers what `work` does, and how many were answered.
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
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - began) / 1_000 * perSecond);
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
