/** Reads a process's resource usage on Linux: CPU time across all threads, and resident memory. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { PostgresServer } from "../../testing/postgres.ts";

/**
 * Milliseconds per USER_HZ tick, the unit in /proc/PID/stat. USER_HZ is 100 on every Linux that
 * Deno supports.
 */
const TICK_MS = 10;

/** Returns the user and system time used by a process so far, in milliseconds. */
export function cpuMs(pid: number | "self"): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * Returns the CPU time used so far by a process and its children, including those that have exited,
 * in milliseconds.
 */
export function familyCpuMs(pid: number): number {
  const own = statFields(pid).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) *
    TICK_MS;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return children.filter((child) => child !== "").reduce((sum, child) => {
    try {
      return sum + cpuMs(Number(child));
    } catch (error) {
      // It has exited since.
      if ((error as { code?: string }).code === "ENOENT") return sum;
      throw error;
    }
  }, own);
}

/** Returns the process id of a database server, whose children serve the connections. */
export function databasePid({ data }: PostgresServer): number {
  return Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Returns the fields of /proc/PID/stat from the third one on. */
function statFields(pid: number | "self"): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is a name in parentheses, which can contain spaces.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Maximum CPU time per second for a process to count as idle, in milliseconds. */
const MAX_IDLE_CPU_MS = 50;

/** Resolves once a process is idle, i.e. has used almost no CPU for a second. */
export async function waitUntilIdle(pid: number): Promise<void> {
  for (let before = -Infinity, used = cpuMs(pid); used - before > MAX_IDLE_CPU_MS;) {
    await setTimeout(1_000);
    [before, used] = [used, cpuMs(pid)];
  }
}

/** Returns the resident memory of a process in MB (1,000,000 bytes). */
export function residentMb(pid: number): number {
  return statusMb(pid, "VmRSS");
}

/** Returns the peak of a process's resident memory so far, in MB. */
export function peakResidentMb(pid: number): number {
  return statusMb(pid, "VmHWM");
}

/** Returns a size from /proc/PID/status in MB. */
function statusMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)![1]) * 1_024 / 1_000_000;
}
