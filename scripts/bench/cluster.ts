// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench cluster [--projects N] [--memories N] [--calls N] [--rounds N]`: measures adds
 * and searches with one, two and three processes on one PostgreSQL database, on this machine. The
 * clients are distributed over the processes, as a balancer that keeps connections does it. Sets of
 * processes take turns; figures are medians.
 */

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { clusterDirectories } from "../../testing/cluster.ts";
import { useTestDatabase } from "../../testing/engine.ts";
import { encodeRequest } from "../../testing/http_connection.ts";
import { startPostgres } from "../../testing/postgres.ts";
import { addProjects } from "../../testing/projects.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { cpuMs, databasePid, familyCpuMs } from "./process_usage.ts";
import { median, round, type Row, tableRows } from "./report.ts";
import { disableDerivation } from "./seed.ts";

const MAX_PROCESSES = 3;

/** Divisible by each number of processes. */
const CLIENTS = 12;

/** Texts per request while the projects are filled. */
const FILLED_TEXTS = 100;

const { values } = parseArgs({
  args: [...Deno.args],
  options: {
    projects: { type: "string", default: "12" },
    memories: { type: "string", default: "1000" },
    calls: { type: "string", default: "1200" },
    rounds: { type: "string", default: "3" },
  },
});
const [calls, rounds] = [Number(values.calls), Number(values.rounds)];

/** Time for the work that follows calls: notices, copies and counters, in milliseconds. */
const SETTLE_MS = 1_000;

/** The processes that a load is sent to, and the one of the database server. */
interface Cluster {
  readonly servers: readonly ServerProcess[];
  readonly database: number;
}

interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly serviceMs: number;
  readonly databaseMs: number;
}

/**
 * Sends a load to the processes. CPU time includes the work in the background that follows it.
 *
 * @param isWarm whether the search copies are filled
 */
async function takeTurn(
  { servers, database }: Cluster,
  next: () => Uint8Array,
  isWarm: boolean,
): Promise<Turn> {
  const used = () => servers.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const before = [used(), familyCpuMs(database)] as const;
  const share = 1 / servers.length;
  const load = { clients: CLIENTS * share, seconds: 600, maxCalls: calls * share, next };
  const loads = await Promise.all(servers.map((server) => runLoad(server, load)));
  // A search fails if it has waited too long for the copy, which the next ones go on filling.
  const failures = loads.flatMap(({ failure }) => failure ?? []);
  const failure = failures.find((text) => isWarm || !text.startsWith("503"));
  if (failure !== undefined) throw new Error(failure);
  await setTimeout(SETTLE_MS);
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50: median(loads.map(({ p50 }) => p50)),
    serviceMs: (used() - before[0]) / calls,
    databaseMs: (familyCpuMs(database) - before[1]) / calls,
  };
}

const post = (path: string, key: string, body: object) =>
  encodeRequest("POST", path, { authorization: `Bearer ${key}` }, body);

/** Returns a function that calls `make` with the projects' keys in turn. */
function inTurn(keys: readonly string[], make: (key: string) => Uint8Array): () => Uint8Array {
  let turn = 0;
  return () => make(keys[turn++ % keys.length]!);
}

async function fill(server: ServerProcess, keys: readonly string[]): Promise<void> {
  const text = new TextGenerator(1);
  const batches = Number(values.memories) / FILLED_TEXTS;
  const next = inTurn(keys, (key) => {
    const messages = Array.from({ length: FILLED_TEXTS }, () => ({
      role: "user",
      content: text.memory(),
    }));
    return post("/v1/memories", key, { messages, user_id: "ana", infer: false });
  });
  const maxCalls = batches * keys.length;
  const { failure } = await runLoad(server, { clients: 4, seconds: 600, maxCalls, next });
  if (failure !== null) throw new Error(failure);
}

async function measure(cluster: Cluster, keys: readonly string[]): Promise<Row[]> {
  const text = new TextGenerator(2);
  const add = (key: string) =>
    post("/v1/memories", key, { content: text.memory(), user_id: "ben", infer: false });
  const search = (key: string) => post("/v1/memories/search", key, { query: text.query() });
  const workloads = [
    { what: "add", on: `${keys.length} projects`, next: inTurn(keys, add) },
    { what: "add", on: "1 project", next: inTurn(keys.slice(0, 1), add) },
    { what: "search", on: `${keys.length} projects`, next: inTurn(keys, search) },
  ];
  const turns = new Map<string, Turn[]>();
  // The first round warms up, and fills the search copies.
  for (let round = 0; round <= rounds; round++) {
    for (const [workload, { next }] of workloads.entries()) {
      for (let count = 1; count <= MAX_PROCESSES; count++) {
        const used = round % 2 === 0 ? count : MAX_PROCESSES + 1 - count;
        const turn = await takeTurn(
          {
            ...cluster,
            servers: cluster.servers.slice(0, used),
          },
          next,
          round > 0,
        );
        const key = `${workload} ${used}`;
        if (round > 0) turns.set(key, [...turns.get(key) ?? [], turn]);
      }
    }
  }
  return workloads.flatMap(({ what, on }, workload) =>
    cluster.servers.map((_, index): Row => {
      const of = turns.get(`${workload} ${index + 1}`)!;
      const medianOf = (pick: (turn: Turn) => number, places: number) =>
        round(median(of.map(pick)), places);
      return {
        what,
        on: `${on}, ${index + 1} of ${MAX_PROCESSES} processes`,
        clients: CLIENTS,
        calls: of.length * calls,
        per_s: medianOf(({ perSecond }) => perSecond, 0),
        p50_ms: medianOf(({ p50 }) => p50, 1),
        cpu_ms: medianOf(({ serviceMs }) => serviceMs, 2),
        database_cpu_ms: medianOf(({ databaseMs }) => databaseMs, 2),
      };
    })
  );
}

const postgres = await startPostgres();
const directory = makeTempDirSync();
const servers: ServerProcess[] = [];
try {
  const address = postgres.newSchema();
  const { directories, blobs } = clusterDirectories(join(directory, "data"), MAX_PROCESSES);
  const environment = { COMMONPLACE_BLOB_URL: pathToFileURL(blobs).href };
  for (const data of directories) {
    useTestDatabase(data, address);
    servers.push(await ServerProcess.start(data, { environment }));
  }
  const projects = await addProjects(directories[0]!, Number(values.projects), "bench");
  await disableDerivation(directories[0]!);
  const keys = projects.map(({ key }) => key);
  await fill(servers[0]!, keys);
  const rows = await measure({ servers, database: databasePid(postgres) }, keys);
  console.log(formatTable(tableRows(rows)));
} finally {
  for (const server of servers) await server.stop();
  await postgres.close();
  await rm(directory);
}
