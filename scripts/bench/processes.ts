// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench processes [--processes N,…] [--size N] [--embedder NAME] [--data DIR]`: embeds a
 * backlog of one project on PostgreSQL with several processes, on a server that's started for it on
 * the same machine. CPU time is per memory: that of all processes once they are ready, which
 * includes loading the model, and that of the server.
 */

import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { copyInstance } from "../../src/server/instance_copy/copy_instance.ts";
import { clusterDirectories } from "../../testing/cluster.ts";
import { useTestDatabase } from "../../testing/engine.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { cpuMs, databasePid, familyCpuMs } from "./process_usage.ts";
import { round, type Row, tableRows } from "./report.ts";
import { seededDirectory } from "./seed.ts";

/** How often to poll for the end, in milliseconds. */
const POLL_INTERVAL_MS = 100;

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "1,2,3" },
    size: { type: "string", default: "10000" },
    embedder: { type: "string", default: "minilm" },
    data: { type: "string" },
  },
});
const size = Number(values.size);

async function measure(postgres: PostgresServer, seeded: string, count: number): Promise<Row> {
  const directory = makeTempDirSync();
  const { directories, blobs } = clusterDirectories(directory, count);
  const database = postgres.newSchema();
  await copyInstance({ data: seeded }, { data: directory, database });
  const postmaster = databasePid(postgres);
  const servers: ServerProcess[] = [];
  const readyCpu: number[] = [];
  const [start, databaseCpu] = [performance.now(), familyCpuMs(postmaster)];
  try {
    for (const data of directories) {
      useTestDatabase(data, database);
      const environment = { COMMONPLACE_BLOB_URL: `file://${blobs}` };
      const server = await ServerProcess.start(data, { embedder: values.embedder, environment });
      servers.push(server);
      readyCpu.push(cpuMs(server.pid));
    }
    while (await pendingOf(servers[0]!) > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
    const seconds = (performance.now() - start) / 1_000;
    const cpu = servers.map(({ pid }, index) => cpuMs(pid) - readyCpu[index]!);
    return {
      what: "embed a backlog",
      on: count === 1 ? "1 process" : `${count} processes`,
      calls: size,
      per_s: round(size / seconds, 0),
      cpu_ms: round(cpu.reduce((sum, each) => sum + each) / size, 2),
      database_cpu_ms: round((familyCpuMs(postmaster) - databaseCpu) / size, 2),
      note: `${round(seconds, 0)} s; CPU of each: ${
        cpu.map((each) => `${round(each / 1_000, 0)} s`).join(", ")
      }`,
    };
  } finally {
    for (const server of servers) await server.stop();
    await rm(directory);
  }
}

async function pendingOf(server: ServerProcess): Promise<number> {
  return (await server.call("GET", "/v1/health")).json.projections.vector_pending;
}

const postgres = await startPostgres();
const seeds = values.data ?? makeTempDirSync();
try {
  const seeded = await seededDirectory(seeds, size, "english");
  const rows: Row[] = [];
  for (const count of values.processes.split(",")) {
    rows.push(await measure(postgres, seeded, Number(count)));
  }
  console.log(formatTable(tableRows(rows)));
} finally {
  await postgres.close();
  if (values.data === undefined) await rm(seeds);
}
