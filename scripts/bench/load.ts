/** Closed-loop load: so many clients, each sending its next request when the last is answered. */

import { HttpConnection } from "../../testing/http_connection.ts";
import type { ServerProcess } from "../../testing/server_process.ts";
import { cpuMs } from "./process_usage.ts";

/** How much is sent. The loop ends at the first of its bounds. */
export interface Load {
  readonly clients: number;
  readonly seconds: number;
  readonly maxCalls: number;
  /** Ends the load earlier, once it is aborted. */
  readonly signal?: AbortSignal;
  /** The bytes of the next request; must cost next to nothing. */
  readonly next: () => Uint8Array;
}

/** What came of it. Times are milliseconds; CPU is that of all threads, user and system. */
export interface LoadStats {
  readonly calls: number;
  readonly failed: number;
  /** The first answer that was no success. */
  readonly failure: string | null;
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly serverCpuMs: number;
  readonly generatorCpuMs: number;
}

/** Sends the load and measures it. */
export async function runLoad(server: ServerProcess, load: Load): Promise<LoadStats> {
  const connections = await Promise.all(
    Array.from({ length: load.clients }, () => HttpConnection.open(server.url)),
  );
  const latencies = new Float64Array(load.maxCalls);
  let [calls, failed, failure] = [0, 0, null as string | null];
  const cpuBefore = [cpuMs(server.pid), cpuMs("self")] as const;
  const began = performance.now();
  const end = began + load.seconds * 1_000;
  await Promise.all(connections.map(async (connection) => {
    let sent = performance.now();
    while (sent < end && calls < load.maxCalls && load.signal?.aborted !== true) {
      const call = calls++;
      const reply = await connection.send(load.next());
      const answered = performance.now();
      latencies[call] = answered - sent;
      sent = answered;
      if (reply.status >= 300) {
        failed++;
        failure ??= `${reply.status} ${new TextDecoder().decode(reply.body).slice(0, 200)}`;
      }
    }
  }));
  const seconds = (performance.now() - began) / 1_000;
  const [serverCpu, generatorCpu] = [
    cpuMs(server.pid) - cpuBefore[0],
    cpuMs("self") - cpuBefore[1],
  ];
  connections.forEach((connection) => connection.close());
  const sorted = latencies.subarray(0, calls).sort();
  const quantile = (share: number) => sorted[Math.min(calls - 1, Math.floor(calls * share))] ?? 0;
  return {
    calls,
    failed,
    failure,
    perSecond: calls / seconds,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    max: sorted[calls - 1] ?? 0,
    serverCpuMs: serverCpu / calls,
    generatorCpuMs: generatorCpu / calls,
  };
}
