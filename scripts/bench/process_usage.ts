/** What a process has used, as Linux tells it: CPU of all its threads, and resident memory. */

import { readFileSync } from "node:fs";

/** USER_HZ, the unit of /proc/PID/stat: 100 on every Linux that Deno runs on. */
const TICK_MS = 10;

/** User and system time of a process so far, in milliseconds. */
export function cpuMs(pid: number | "self"): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is a name in parentheses, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory in MB (1,000,000 bytes). */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1_024 / 1_000_000;
}
