/** Searches of memories with nothing beside them, and beside files that are being extracted. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { rm } from "../../testing/temp_dir.ts";
import { mediaTypeOf } from "../../src/kernel/media_types.ts";
import { TextGenerator } from "./corpus.ts";
import { type LoadStats, runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { residentMb } from "./process_usage.ts";
import { round, type Row, statsRow } from "./report.ts";
import { AUTH_HEADERS, copyDirectory, seededDirectory } from "./seed.ts";

/** How often the operations are looked at. */
const POLL_INTERVAL_MS = 100;

/** Who searches: a user of one memory in a hundred. */
const SEARCHED_USER = "user-1%";

/** A round that takes longer has failed. */
const MAX_LOAD_SECONDS = 120;

/**
 * In turns: searches alone, and searches while all files are extracted, from the completion of the
 * first to the success of the last. Neither query nor upload comes twice.
 */
export async function benchUploads(options: BenchOptions, seeds: string): Promise<Row[]> {
  if (!existsSync(options.files)) return [{ what: "search", on: "files", note: "no such folder" }];
  const files = listFiles(options.files);
  const rows: Row[] = [];
  for (const size of options.sizes) {
    const kind = options.embedder === "none" ? "generated" : "vectors";
    const directory = copyDirectory(await seededDirectory(seeds, size, kind));
    const { logLevel, embedder } = options;
    const server = await ServerProcess.start(directory, { logLevel, embedder });
    try {
      for (const clients of options.searchClients) {
        rows.push(...await measure(options, server, `${size} generated`, clients, files));
      }
    } finally {
      await server.stop();
      await rm(directory);
    }
  }
  return rows;
}

async function measure(
  options: BenchOptions,
  server: ServerProcess,
  on: string,
  clients: number,
  files: readonly string[],
): Promise<Row[]> {
  const text = new TextGenerator(clients);
  const next = () =>
    encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, {
      query: text.query(),
      user_id: SEARCHED_USER,
    });
  const load = { clients, seconds: options.seconds, maxCalls: MAX_CALLS, next };
  const [alone, beside, after]: [LoadStats[], LoadStats[], LoadStats[]] = [[], [], []];
  const took: number[] = [];
  await runLoad(server, { ...load, seconds: options.warmUpSeconds });
  for (let turn = 0; turn < options.rounds; turn++) {
    alone.push(await runLoad(server, load));
    const began = performance.now();
    const operations = await uploadFiles(server, files, `${clients}-${turn}`);
    const over = new AbortController();
    const done = waitForOperations(server, operations).finally(() => over.abort());
    const measured = runLoad(server, { ...load, seconds: MAX_LOAD_SECONDS, signal: over.signal });
    beside.push((await Promise.all([measured, done]))[0]);
    took.push((performance.now() - began) / 1_000);
    const embedded = new AbortController();
    const caughtUp = waitForEmbeddings(server).finally(() => embedded.abort());
    const tail = runLoad(server, { ...load, seconds: MAX_LOAD_SECONDS, signal: embedded.signal });
    after.push((await Promise.all([tail, caughtUp]))[0]);
  }
  const seconds = round(median(took), 1);
  const ratio = round(
    median(beside.map(({ p99 }) => p99)) / median(alone.map(({ p99 }) => p99)),
    2,
  );
  const memory = { after_mb: round(residentMb(server.pid), 0) };
  return [
    statsRow("search alone", on, clients, medianStats(alone)),
    {
      ...statsRow("search beside extraction", on, clients, medianStats(beside)),
      ...memory,
      note: `${files.length} files in ${seconds} s; p99 x ${ratio}`,
    },
    statsRow("search beside embedding", on, clients, medianStats(after)),
  ];
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** Announces, sends and completes every file; answers the operations. */
async function uploadFiles(
  server: ServerProcess,
  files: readonly string[],
  turn: string,
): Promise<string[]> {
  const connection = await HttpConnection.open(server.url);
  const send = async (method: string, path: string, body?: unknown, key = "") => {
    const headers = key === "" ? AUTH_HEADERS : { ...AUTH_HEADERS, "idempotency-key": key };
    const reply = await connection.send(encodeRequest(method, path, headers, body));
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.head}`);
    return reply;
  };
  const operations: string[] = [];
  for (const [index, path] of files.entries()) {
    const bytes = readFileSync(path);
    const description = {
      filename: basename(path),
      source_key: `${turn}-${index}`,
      content_type: mediaTypeOf(path),
      size_bytes: bytes.length,
      user_id: "bench",
    };
    const key = `${turn}-${index}`;
    const { source_asset } = parseJson(
      await send("POST", "/v1/document-uploads", description, key),
    );
    const at = `/v1/document-uploads/${source_asset.id}`;
    await send("PUT", `${at}/content`, bytes);
    await send("POST", `${at}/complete`);
    operations.push(source_asset.operation_id);
  }
  connection.close();
  return operations;
}

/** Resolves when every operation has succeeded. @throws when one has ended otherwise */
async function waitForOperations(
  server: ServerProcess,
  operations: readonly string[],
): Promise<void> {
  for (const operation of operations) {
    await poll(server, `/v1/operations/${operation}`, ({ status, error }) => {
      if (status === "dead") throw new Error(JSON.stringify(error));
      return status === "success";
    });
  }
}

function waitForEmbeddings(server: ServerProcess): Promise<void> {
  return poll(server, "/v1/health", ({ projections }) => projections.vector_pending === 0);
}

async function poll(
  server: ServerProcess,
  path: string,
  // deno-lint-ignore no-explicit-any -- whoever asks knows the endpoint
  isDone: (body: any) => boolean,
): Promise<void> {
  const connection = await HttpConnection.open(server.url);
  const request = encodeRequest("GET", path, AUTH_HEADERS);
  while (!isDone(parseJson(await connection.send(request)))) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  connection.close();
}

/** Each figure's median over the rounds. */
function medianStats(rounds: readonly LoadStats[]): LoadStats {
  const of = (pick: (figures: LoadStats) => number) => median(rounds.map(pick));
  return {
    calls: of(({ calls }) => calls),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    failure: rounds.find(({ failure }) => failure !== null)?.failure ?? null,
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p95: of(({ p95 }) => p95),
    p99: of(({ p99 }) => p99),
    max: of(({ max }) => max),
    serverCpuMs: of(({ serverCpuMs }) => serverCpuMs),
    generatorCpuMs: of(({ generatorCpuMs }) => generatorCpuMs),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
