/**
 * Compares servers that take turns under the same load, so that changes in the load of the machine
 * affect all of them. Figures are medians of the rounds.
 */

import type { ServerProcess } from "../../testing/server_process.ts";
import { type Load, type LoadStats, runLoad } from "./load.ts";
import { cpuMs, familyCpuMs, waitUntilIdle } from "./process_usage.ts";
import { median, round, type Row } from "./report.ts";

/** A server under comparison. */
export interface Contestant {
  /** Reported in the column `on`, after the workload's own. */
  readonly name: string;
  readonly server: ServerProcess;
  /** Process of the database server, if there's one. */
  readonly databasePid: number | null;
}

/** What all servers have to do. */
export interface Workload {
  readonly what: string;
  readonly on: string;
  readonly clients: number;
  /** A turn ends at whichever limit is reached first. */
  readonly seconds: number;
  readonly maxCalls: number;
  /** Returns a function that returns the next request. It must take almost no time. */
  readonly requests: (contestant: number, round: number) => () => Uint8Array;
}

interface Turn extends LoadStats {
  readonly databaseCpuMs: number | null;
}

/** Returns a row per workload and server. */
export async function compareServers(
  contestants: readonly Contestant[],
  workloads: readonly Workload[],
  rounds: number,
): Promise<Row[]> {
  for (const { server } of contestants) await waitUntilIdle(server.pid);
  const turns = new Map<string, Turn[]>();
  const keyOf = (workload: number, contestant: number) => `${workload} ${contestant}`;
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [workload, wanted] of workloads.entries()) {
      const order = [...contestants.keys()];
      for (const contestant of round % 2 === 0 ? order : order.toReversed()) {
        const turn = await takeTurn(contestants[contestant]!, {
          ...wanted,
          next: wanted.requests(contestant, round),
        });
        if (round === 0) continue;
        const key = keyOf(workload, contestant);
        turns.set(key, [...turns.get(key) ?? [], turn]);
      }
    }
  }
  return workloads.flatMap((workload, index) =>
    contestants.map(({ name }, contestant) =>
      medianRow(workload, name, turns.get(keyOf(index, contestant))!)
    )
  );
}

/** Runs a load. CPU time includes the work in the background that follows it. */
async function takeTurn(
  { server, databasePid }: Contestant,
  load: Load,
): Promise<Turn> {
  const used = () =>
    [cpuMs(server.pid), databasePid === null ? 0 : familyCpuMs(databasePid)] as const;
  const before = used();
  const stats = await runLoad(server, load);
  if (stats.failure !== null) throw new Error(`${stats.failed} failed: ${stats.failure}`);
  await waitUntilIdle(server.pid);
  const after = used();
  return {
    ...stats,
    serverCpuMs: (after[0] - before[0]) / stats.calls,
    databaseCpuMs: databasePid === null ? null : (after[1] - before[1]) / stats.calls,
  };
}

function medianRow(
  { what, on, clients }: Workload,
  name: string,
  turns: readonly Turn[],
): Row {
  const medianOf = (pick: (turn: Turn) => number, places: number) =>
    round(median(turns.map(pick)), places);
  return {
    what,
    on: `${on}, ${name}`,
    clients,
    calls: turns.reduce((sum, { calls }) => sum + calls, 0),
    per_s: medianOf(({ perSecond }) => perSecond, 0),
    p50_ms: medianOf(({ p50 }) => p50, 2),
    p99_ms: medianOf(({ p99 }) => p99, 2),
    cpu_ms: medianOf(({ serverCpuMs }) => serverCpuMs, 3),
    ...turns[0]!.databaseCpuMs === null
      ? {}
      : { database_cpu_ms: medianOf(({ databaseCpuMs }) => databaseCpuMs!, 3) },
  };
}
