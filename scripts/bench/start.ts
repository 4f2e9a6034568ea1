/**
 * Measures how long the server takes to print its ready line, and how much memory it uses by then.
 */

import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import type { BenchOptions } from "./options.ts";
import { cpuMs, residentMb } from "./process_usage.ts";
import { median, round, type Row } from "./report.ts";
import { copyDirectory, seededDirectory } from "./seed.ts";

/** Measures starts on fresh directories and on directories of each size. */
export async function benchStart(options: BenchOptions, seeds: string): Promise<Row[]> {
  const rows: Row[] = [];
  const empty = Array.from({ length: options.starts }, makeTempDirSync);
  rows.push(await measureStarts("empty", empty));
  await Promise.all(empty.map(rm));
  for (const size of options.sizes) {
    const directory = copyDirectory(await seededDirectory(seeds, size));
    const again = Array.from({ length: options.starts }, () => directory);
    rows.push(await measureStarts(`${size} generated`, again));
    await rm(directory);
  }
  return rows;
}

async function measureStarts(on: string, directories: readonly string[]): Promise<Row> {
  const [ready, cpu, resident]: [number[], number[], number[]] = [[], [], []];
  for (const directory of directories) {
    const server = await ServerProcess.start(directory);
    ready.push(server.readyMs);
    cpu.push(cpuMs(server.pid));
    resident.push(residentMb(server.pid));
    await server.stop();
  }
  return {
    what: "start",
    on,
    calls: directories.length,
    p50_ms: round(median(ready), 0),
    max_ms: round(Math.max(...ready), 0),
    cpu_ms: round(median(cpu), 0),
    idle_mb: round(median(resident), 0),
  };
}
