// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench engines [adds | imports | searches] [--sizes N,…] [--seconds N] [--rounds N]
 * [--embedder NAME] [--data DIR]`: compares SQLite with PostgreSQL, on a server that's started for
 * it on the same machine: adds, imports of N memories, the first search of a project, and searches of
 * sets of each size.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { COPY_FOLDER } from "../../src/copies/copies.ts";
import { copyInstance } from "../../src/server/instance_copy/copy_instance.ts";
import { useTestDatabase } from "../../testing/engine.ts";
import { encodeRequest } from "../../testing/http_connection.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { addProjects, type EmptyProject } from "../../testing/projects.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { compareServers, type Contestant, type Workload } from "./contest.ts";
import { TextGenerator } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import { databasePid, waitUntilIdle } from "./process_usage.ts";
import { median, round, type Row, tableRows } from "./report.ts";
import { AUTH_HEADERS, copyDirectory, disableDerivation, seededDirectory } from "./seed.ts";

const ENGINES = ["SQLite", "PostgreSQL"] as const;
const ADDING_CLIENTS = [1, 8, 32] as const;
const PROJECTS = [1, 8] as const;

/** How many adds to generate for each server. The load repeats them. */
const PREPARED_REQUESTS = 8_000;

const { values, positionals } = parseArgs({
  args: [...Deno.args],
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "10000" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    embedder: { type: "string", default: "minilm" },
    data: { type: "string" },
  },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const isWanted = (part: string) => positionals.length === 0 || positionals.includes(part);

/** Returns adds to the projects in turn. */
function prepareAdds(projects: readonly EmptyProject[]): readonly Uint8Array[] {
  const text = new TextGenerator(projects.length);
  return Array.from({ length: PREPARED_REQUESTS }, (_, index) => {
    const headers = { authorization: `Bearer ${projects[index % projects.length]!.key}` };
    const body = { content: text.memory(), user_id: `user-${index % 100}`, infer: false };
    return encodeRequest("POST", "/v1/memories", headers, body);
  });
}

async function measureAdds(contestants: readonly Contestant[], directories: readonly string[]) {
  const created = await Promise.all(
    directories.map((directory) => addProjects(directory, Math.max(...PROJECTS), "bench")),
  );
  await Promise.all(directories.map(disableDerivation));
  const workloads = PROJECTS.flatMap((count) => {
    const adds = created.map((projects) => prepareAdds(projects.slice(0, count)));
    let turn = 0;
    return ADDING_CLIENTS.map((clients): Workload => ({
      what: "add",
      on: count === 1 ? "1 project" : `${count} projects`,
      clients,
      seconds,
      maxCalls: MAX_CALLS,
      requests: (contestant) => () => adds[contestant]![turn++ % PREPARED_REQUESTS]!,
    }));
  });
  return await compareServers(contestants, workloads, rounds);
}

/** Measures imports of memories, from the time when one is accepted until it's complete. */
async function measureImports(contestants: readonly Contestant[], size: number): Promise<Row[]> {
  const text = new TextGenerator(size);
  const times = contestants.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const memories = Array.from({ length: size }, (_, index) => ({
      id: `${round}-${index}`,
      memory: text.memory(),
      user_id: `user-${index % 100}`,
      created_at: "2026-01-01T00:00:00Z",
    }));
    const raw = new TextEncoder().encode(JSON.stringify(memories));
    for (const [index, { server }] of contestants.entries()) {
      const headers = { "content-type": "application/octet-stream", "idempotency-key": `${round}` };
      const queued = await server.call("POST", "/v1/imports/mem0", { raw, headers });
      const accepted = performance.now();
      for (let status = queued.json.status; status !== "success"; await setTimeout(20)) {
        if (status === undefined || status === "dead") throw new Error(queued.text);
        status = (await server.call("GET", `/v1/operations/${queued.json.id}`)).json.status;
      }
      times[index]!.push(performance.now() - accepted);
      await waitUntilIdle(server.pid);
    }
  }
  return contestants.map(({ name }, index) => {
    const p50 = median(times[index]!);
    return {
      what: "import",
      on: `${size} memories, ${name}`,
      clients: 1,
      calls: rounds,
      per_s: round(size / p50 * 1_000, 0),
      p50_ms: round(p50, 0),
    };
  });
}

const search = (body: object) => encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, body);

/** Measures the first search after a start, on PostgreSQL without a search copy. */
async function measureFirstSearch(
  contestant: Contestant,
  directory: string,
  on: string,
): Promise<readonly [Contestant, Row]> {
  const times: number[] = [];
  let { server } = contestant;
  for (let start = 0; start < rounds; start++) {
    await server.stop();
    rmSync(join(directory, COPY_FOLDER), { recursive: true, force: true });
    server = await ServerProcess.start(directory, { embedder: values.embedder });
    await waitUntilIdle(server.pid);
    const text = new TextGenerator(start + 1);
    const request = search({ query: text.query() });
    const once = { clients: 1, seconds: 60, maxCalls: 1, next: () => request };
    const began = performance.now();
    let failure: string | null;
    // A search that has waited 20 seconds for the copy fails, and the next one goes on waiting.
    do ({ failure } = await runLoad(server, once)); while (failure?.startsWith("503"));
    if (failure !== null) throw new Error(failure);
    times.push(performance.now() - began);
  }
  const row = { what: "first search", on: `${on}, ${contestant.name}`, clients: 1, calls: rounds };
  return [{ ...contestant, server }, { ...row, p50_ms: round(median(times), 0) }];
}

async function measureSearches(
  contestants: readonly Contestant[],
  size: number,
): Promise<Row[]> {
  const queries = { "whole project": {}, "1 % of it": { user_id: "user-1%" } };
  const workloads = Object.entries(queries).map(([on, scope]): Workload => ({
    what: "search",
    on: `${on}, ${size}`,
    clients: 1,
    seconds,
    maxCalls: MAX_CALLS,
    requests: (_, turn) => {
      const text = new TextGenerator(turn + 1);
      return () => search({ query: text.query(), ...scope });
    },
  }));
  return await compareServers(contestants, workloads, rounds);
}

/** Runs work with a server of each engine. The records of PostgreSQL are equal to those of SQLite. */
async function withEngines(
  postgres: PostgresServer,
  seeded: string | null,
  embedder: string,
  work: (contestants: Contestant[], directories: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const directories = ENGINES.map(() =>
    seeded === null ? makeTempDirSync() : copyDirectory(seeded)
  );
  const contestants: Contestant[] = [];
  try {
    for (const [index, name] of ENGINES.entries()) {
      const directory = directories[index]!;
      if (name === "PostgreSQL") {
        const database = postgres.newSchema();
        if (seeded !== null) await copyInstance({ data: directory }, { data: directory, database });
        useTestDatabase(directory, database);
      }
      const server = await ServerProcess.start(directory, { embedder });
      const pid = name === "PostgreSQL" ? databasePid(postgres) : null;
      contestants.push({ name, server, databasePid: pid });
    }
    return await work(contestants, directories);
  } finally {
    for (const { server } of contestants) await server.stop();
    for (const directory of directories) await rm(directory);
  }
}

const postgres = await startPostgres();
const seeds = values.data ?? makeTempDirSync();
try {
  const rows = isWanted("adds") ? await withEngines(postgres, null, "none", measureAdds) : [];
  const sizes = values.sizes.split(",").map(Number);
  for (const size of isWanted("imports") ? sizes : []) {
    rows.push(
      ...await withEngines(postgres, null, "none", async (contestants, directories) => {
        await Promise.all(directories.map(disableDerivation));
        return await measureImports(contestants, size);
      }),
    );
  }
  for (const size of isWanted("searches") ? sizes : []) {
    const kind = values.embedder === "none" ? "generated" : "vectors";
    const seeded = await seededDirectory(seeds, size, kind);
    rows.push(
      ...await withEngines(postgres, seeded, values.embedder, async (contestants, directories) => {
        const first: Row[] = [];
        for (const [index, contestant] of contestants.entries()) {
          const [restarted, row] = await measureFirstSearch(
            contestant,
            directories[index]!,
            `${size}`,
          );
          contestants[index] = restarted;
          first.push(row);
        }
        return [...first, ...await measureSearches(contestants, size)];
      }),
    );
  }
  console.log(formatTable(tableRows(rows)));
} finally {
  await postgres.close();
  if (values.data === undefined) await rm(seeds);
}
