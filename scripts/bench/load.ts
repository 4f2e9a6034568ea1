/** Closed-loop load: each client waits for its response before sending the next request. */

import { HttpConnection } from "../../testing/http_connection.ts";
import type { ServerProcess } from "../../testing/server_process.ts";
import { cpuMs } from "./process_usage.ts";

/** How much load to send. Stops at whichever limit is reached first. */
export interface Load {
  readonly clients: number;
  readonly seconds: number;
  readonly maxCalls: number;
  /** Ends the load early when aborted. */
  readonly signal?: AbortSignal;
  /** Returns the bytes of the next request. Must take almost no time. */
  readonly next: () => Uint8Array;
}

/**
 * The result of a load. Times are in milliseconds. CPU is user plus system time across all threads.
 */
export interface LoadStats {
  readonly calls: number;
  readonly failed: number;
  /** The first error response. */
  readonly failure: string | null;
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly serverCpuMs: number;
  readonly generatorCpuMs: number;
}

/** Sends the load and returns its measurements. */
export async function runLoad(server: ServerProcess, load: Load): Promise<LoadStats> {
  const connections = await Promise.all(
    Array.from({ length: load.clients }, () => HttpConnection.open(server.url)),
  );
  const latencies = new Float64Array(load.maxCalls);
  let [calls, failed, failure] = [0, 0, null as string | null];
  const cpuBefore = [cpuMs(server.pid), cpuMs("self")] as const;
  const start = performance.now();
  const end = start + load.seconds * 1_000;
  await Promise.all(connections.map(async (connection) => {
    let sent = performance.now();
    while (sent < end && calls < load.maxCalls && load.signal?.aborted !== true) {
      const call = calls++;
      const response = await connection.send(load.next());
      const received = performance.now();
      latencies[call] = received - sent;
      sent = received;
      if (response.status >= 300) {
        failed++;
        failure ??= `${response.status} ${new TextDecoder().decode(response.body).slice(0, 200)}`;
      }
    }
  }));
  const seconds = (performance.now() - start) / 1_000;
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
