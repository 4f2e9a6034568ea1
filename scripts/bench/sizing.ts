// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench sizing [bytes | idle] [--memories N] [--projects N] [--seconds N]
 * [--embedder NAME]`: measures what
 * an instance on PostgreSQL takes: bytes of each table, of the log and of the search copy for each
 * memory, and CPU time of a service that has nothing to do, without projects and with many.
 */

import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { COPY_FOLDER } from "../../src/copies/copies.ts";
import { laggingProjects } from "../../src/derived/repository.ts";
import { copyInstance } from "../../src/server/instance_copy/copy_instance.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { useTestDatabase } from "../../testing/engine.ts";
import { encodeRequest } from "../../testing/http_connection.ts";
import { startPostgres } from "../../testing/postgres.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { READER } from "./mark_views_derived.ts";
import { cpuMs, databasePid, familyCpuMs, waitUntilIdle } from "./process_usage.ts";
import { AUTH_HEADERS, copyDirectory, disableDerivation, seededDirectory } from "./seed.ts";

/** Tables that take less than this for each memory are left out, in bytes. */
const MIN_BYTES = 15;

/** Number of checks of all projects of which the fastest is reported. */
const CHECKS = 5;

const { values, positionals } = parseArgs({
  args: [...Deno.args],
  allowPositionals: true,
  options: {
    memories: { type: "string", default: "20000" },
    projects: { type: "string", default: "20000" },
    seconds: { type: "string", default: "70" },
    embedder: { type: "string", default: "minilm" },
  },
});
const [memories, projects] = [Number(values.memories), Number(values.projects)];
const isWanted = (part: string) => positionals.length === 0 || positionals.includes(part);

const postgres = await startPostgres();
const database = databasePid(postgres);

/** Runs work with a data directory whose records are in an empty schema. */
async function withSchema(
  directory: string,
  work: (directory: string, address: PgAddress) => Promise<void>,
): Promise<void> {
  const address = postgres.newSchema();
  useTestDatabase(directory, address);
  try {
    await work(directory, address);
  } finally {
    await rm(directory);
  }
}

interface TableSize {
  readonly table: string;
  readonly heap: number;
  readonly indexes: number;
}

/** Prints what each table takes for each memory, in bytes. */
async function printTables({ schema }: PgAddress, tables: string): Promise<void> {
  await postgres.query("vacuum analyze");
  const sizes = await postgres.query<TableSize>(`select relname as table,
      pg_table_size(c.oid)::float / ${memories} as heap,
      pg_indexes_size(c.oid)::float / ${memories} as indexes
    from pg_class c where relnamespace = '${schema}'::regnamespace and relkind = 'r'
      and relname ~ '${tables}' and pg_total_relation_size(c.oid) > ${MIN_BYTES * memories}
    order by pg_total_relation_size(c.oid) desc`);
  const all = sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  console.log(formatTable(
    sizes.map(({ table, heap, indexes }) => ({
      table,
      heap: heap.toFixed(0),
      indexes: indexes.toFixed(0),
      total: (heap + indexes).toFixed(0),
    })),
  ));
  console.log(`${all.toFixed(0)} bytes in total for each of ${memories} memories`);
}

/** Adds memories one by one, each with an Idempotency-Key. Returns the bytes in the log. */
async function addAll(server: ServerProcess): Promise<number> {
  const text = new TextGenerator(1);
  let [count, characters] = [0, 0];
  const next = () => {
    const content = text.memory();
    characters += content.length;
    const body = { content, user_id: `user-${count % 1_000}`, infer: false };
    const headers = { ...AUTH_HEADERS, "idempotency-key": `add-${count++}` };
    return encodeRequest("POST", "/v1/memories", headers, body);
  };
  const position = async () =>
    (await postgres.query<{ position: number }>(
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float as position",
    ))[0]!.position;
  await postgres.query("checkpoint");
  const before = await position();
  const load = { clients: 8, seconds: 600, maxCalls: memories, next };
  const { failure } = await runLoad(server, load);
  if (failure !== null) throw new Error(failure);
  console.log(`${(characters / memories).toFixed(0)} characters in each memory`);
  return await position() - before;
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Fills a search copy, and prints what it takes. */
async function printCopy(directory: string, embedder: string): Promise<void> {
  rmSync(join(directory, COPY_FOLDER), { recursive: true, force: true });
  const server = await ServerProcess.start(directory, { embedder });
  await waitUntilIdle(server.pid);
  const before = [performance.now(), cpuMs(server.pid), familyCpuMs(database)] as const;
  const request = encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, {
    query: "spare key",
  });
  let failure: string | null;
  do {
    const load = { clients: 1, seconds: 60, maxCalls: 1, next: () => request };
    ({ failure } = await runLoad(server, load));
  } while (failure?.startsWith("503"));
  if (failure !== null) throw new Error(failure);
  const each = (now: number, then: number) => `${((now - then) * 1_000 / memories).toFixed(0)} µs`;
  console.log(
    `copy: ${each(performance.now(), before[0])} for each memory; CPU: service ` +
      `${each(cpuMs(server.pid), before[1])}, server ${each(familyCpuMs(database), before[2])}`,
  );
  await server.stop();
  const bytes = folderBytes(join(directory, COPY_FOLDER)) / memories;
  console.log(`copy: ${bytes.toFixed(0)} bytes for each memory, with its vector if it has one`);
}

async function measureBytes(): Promise<void> {
  await withSchema(makeTempDirSync(), async (directory, address) => {
    const server = await ServerProcess.start(directory);
    await disableDerivation(directory);
    const log = await addAll(server);
    await waitUntilIdle(server.pid);
    await server.stop();
    console.log(`log: ${(log / memories).toFixed(0)} bytes for each add`);
    await printTables(address, ".");
    await printCopy(directory, "none");
  });
  const seeds = makeTempDirSync();
  const seeded = await seededDirectory(seeds, memories, "vectors");
  await withSchema(copyDirectory(seeded), async (data, address) => {
    await copyInstance({ data }, { data, database: address });
    await printTables(address, "^vector");
    await printCopy(data, values.embedder);
  });
  await rm(seeds);
}

/** Adds projects that have been used once. */
async function addUsedProjects({ schema }: PgAddress): Promise<void> {
  const at = "'2026-01-01T00:00:00.000Z'";
  await postgres.query(`set search_path to ${schema};
    insert into projects (id, name, created_at)
      select 'proj_' || n, 'bench-' || n, ${at} from generate_series(1, ${projects}) n;
    insert into api_keys (id, project, name, prefix, hash, permissions, created_at)
      select 'key_' || number, number, '', '', 'hash-' || number, '[]', ${at} from projects
      where name like 'bench-%';
    insert into journal (project, kind, record_id, change, at)
      select number, 'memory', 'mem_' || number || '-' || n, 'ADD', ${at}
      from projects, generate_series(1, 10) n where name like 'bench-%';
    insert into scope_totals (project, type, id, total_memories, created_at, updated_at)
      select number, 'project', '', 0, ${at}, ${at} from projects where name like 'bench-%';
    insert into derived_progress (project, position, reader)
      select project, max(seq), '${READER}' from journal group by project on conflict do nothing;
    insert into tasks (project, id, kind, status, payload, max_attempts, created_at, updated_at,
        completed_at)
      select number, 'op_' || number, 'derive', 'success', '{}', 5, ${at}, ${at}, ${at}
      from projects where name like 'bench-%';
    update embedding_models set position = (select max(seq) from journal);
    update activity_position set seq = (select max(seq) from journal)`);
  await postgres.query("vacuum analyze");
}

/** Prints the CPU time of a service and its server that have nothing to do. */
async function printIdle(directory: string, on: string): Promise<void> {
  const server = await ServerProcess.start(directory);
  await waitUntilIdle(server.pid);
  const before = [cpuMs(server.pid), familyCpuMs(database)] as const;
  await setTimeout(Number(values.seconds) * 1_000);
  const perSecond = (ms: number) => `${(ms / Number(values.seconds)).toFixed(1)} ms`;
  const [service, own] = [cpuMs(server.pid) - before[0], familyCpuMs(database) - before[1]];
  console.log(`idle, ${on}: service ${perSecond(service)}, server ${perSecond(own)} per second`);
  await server.stop();
}

async function measureIdle(): Promise<void> {
  await withSchema(makeTempDirSync(), async (directory, address) => {
    await printIdle(directory, "1 project");
    await addUsedProjects(address);
    await printIdle(directory, `${projects} projects`);
    const store = await PgStore.open(address);
    let fastest = Infinity;
    for (let check = 0; check < CHECKS; check++) {
      const began = performance.now();
      await store.read((db) => laggingProjects(db, READER, { now: 0, blockedMs: 0 }, 20, null));
      fastest = Math.min(fastest, performance.now() - began);
    }
    await store.close();
    console.log(`check of all projects for lagging views: ${fastest.toFixed(0)} ms`);
  });
}

try {
  if (isWanted("bytes")) await measureBytes();
  if (isWanted("idle")) await measureIdle();
} finally {
  await postgres.close();
}
