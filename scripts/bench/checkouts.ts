// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench checkouts --base DIR [--head DIR] [--n N] [--rounds N] [--clients N]
 * [--search-clients N,…] [--embedder NAME] [--postgres]`: compares adds and searches of two checkouts
 * with a server of each, N memories to begin with, and optionally on PostgreSQL. With an embedder,
 * there are only searches, of memories with random vectors. Both checkouts need `deno install`. The
 * second one defaults to this repository.
 */

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { useTestDatabase } from "../../testing/engine.ts";
import { encodeRequest } from "../../testing/http_connection.ts";
import { startPostgres } from "../../testing/postgres.ts";
import type { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { compareServers, type Contestant, type Workload } from "./contest.ts";
import { TextGenerator } from "./corpus.ts";
import { databasePid } from "./process_usage.ts";
import { tableRows } from "./report.ts";
import { addRequest, AUTH_HEADERS, disableDerivation, seedMemories } from "./seed.ts";
import { writeVectors } from "./vectors.ts";

/** Calls per turn. */
const ADDS = 1_000;
const SEARCHES = 300;

const { values } = parseArgs({
  args: [...Deno.args],
  options: {
    base: { type: "string" },
    head: { type: "string", default: resolve(import.meta.dirname!, "../..") },
    n: { type: "string", default: "20000" },
    rounds: { type: "string", default: "7" },
    clients: { type: "string", default: "1" },
    "search-clients": { type: "string", default: "1" },
    embedder: { type: "string", default: "none" },
    postgres: { type: "boolean", default: false },
  },
});
if (values.base === undefined) throw new Error("Pass --base DIR, the checkout to compare with");
const { embedder } = values;
if (embedder !== "none" && values.postgres) throw new Error("Vectors are only written to SQLite");

let queryBlocks = 0;

/**
 * Returns requests that are the same for all servers in a round. Each workload has queries of its
 * own seed, since servers cache the vectors of queries.
 */
function sameRequests(make: (text: TextGenerator) => Uint8Array, calls: number) {
  const firstSeed = ++queryBlocks * 1_000;
  return (_: number, round: number) => {
    const text = new TextGenerator(firstSeed + round);
    const requests = Array.from({ length: calls }, () => make(text));
    let turn = 0;
    return () => requests[turn++ % calls]!;
  };
}

const search = (body: object) => encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, body);

const ADDING: Workload = {
  what: "add",
  on: "one user",
  clients: Number(values.clients),
  seconds: 60,
  maxCalls: ADDS,
  requests: sameRequests(
    (text) => addRequest({ content: text.memory(), user_id: "user-1%" }),
    ADDS,
  ),
};

const SCOPES = [["whole project", {}], ["1 % of it", { user_id: "user-1%" }]] as const;

const SEARCHING = values["search-clients"].split(",").flatMap((clients) =>
  SCOPES.map(([on, scope]): Workload => ({
    what: "search",
    on,
    clients: Number(clients),
    seconds: 60,
    maxCalls: SEARCHES,
    requests: sameRequests((text) => search({ query: text.query(), ...scope }), SEARCHES),
  }))
);

const directories: string[] = [];
const contestants: Contestant[] = [];
const postgres = values.postgres ? await startPostgres() : null;
try {
  for (const [name, tree] of [["base", values.base], ["head", values.head]] as const) {
    const load = (module: string) => import(pathToFileURL(join(resolve(tree), module)).href);
    const program = await load("testing/server_process.ts");
    const directory = makeTempDirSync();
    directories.push(directory);
    if (postgres !== null) {
      const address = postgres.newSchema();
      useTestDatabase(directory, address);
      (await load("testing/engine.ts")).useTestDatabase(directory, address);
    }
    const start = (embedder: string): Promise<ServerProcess> =>
      program.ServerProcess.start(directory, { embedder });
    const seeder = await start("none");
    try {
      await disableDerivation(directory);
      await seedMemories(seeder, Number(values.n));
    } finally {
      await seeder.stop();
    }
    if (embedder !== "none") writeVectors(directory);
    const server = await start(embedder);
    contestants.push({ name, server, databasePid: postgres && databasePid(postgres) });
  }
  const workloads = embedder === "none" ? [ADDING, ...SEARCHING] : SEARCHING;
  const rows = await compareServers(contestants, workloads, Number(values.rounds));
  console.log(formatTable(tableRows(rows)));
} finally {
  for (const { server } of contestants) await server.stop();
  await postgres?.close();
  for (const directory of directories) await rm(directory);
}
