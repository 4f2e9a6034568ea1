/**
 * Measures how long it takes until memories that are stored already can be found by meaning:
 * embedding of a backlog while there are no requests. Each memory has 20 English words.
 */

import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { rm } from "../../testing/temp_dir.ts";
import type { BenchOptions } from "./options.ts";
import { cpuMs, residentMb } from "./process_usage.ts";
import { round, type Row } from "./report.ts";
import { AUTH_HEADERS, copyDirectory, seededDirectory } from "./seed.ts";

/** How often to poll for the end, in milliseconds. */
const POLL_INTERVAL_MS = 100;

/** Measures the backlog of each size. The time includes loading the model. */
export async function benchBacklog(options: BenchOptions, seeds: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of options.sizes) {
    const directory = copyDirectory(await seededDirectory(seeds, size, "english"));
    const { logLevel, embedder } = options;
    const server = await ServerProcess.start(directory, { logLevel, embedder });
    try {
      rows.push(await measure(server, size));
    } finally {
      await server.stop();
      await rm(directory);
    }
  }
  return rows;
}

async function measure(server: ServerProcess, size: number): Promise<Row> {
  const connection = await HttpConnection.open(server.url);
  const health = encodeRequest("GET", "/v1/health", AUTH_HEADERS);
  const [start, cpu] = [performance.now(), cpuMs(server.pid)];
  while (parseJson(await connection.send(health)).projections.vector_pending > 0) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  const seconds = (performance.now() - start) / 1_000;
  connection.close();
  return {
    what: "embed a backlog",
    on: `${size} memories`,
    calls: size,
    per_s: round(size / seconds, 0),
    cpu_ms: round((cpuMs(server.pid) - cpu) / size, 2),
    after_mb: round(residentMb(server.pid), 0),
    note: `${round(seconds, 0)} s`,
  };
}
