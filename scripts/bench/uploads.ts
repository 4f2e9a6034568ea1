/** Measures memory searches on their own, during extraction, and during embedding. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { rm } from "../../testing/temp_dir.ts";
import { mediaTypeOf } from "../../src/kernel/http/media_types.ts";
import { TextGenerator } from "./corpus.ts";
import { type LoadStats, runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { residentMb } from "./process_usage.ts";
import { median, round, type Row, statsRow } from "./report.ts";
import { AUTH_HEADERS, copyDirectory, seededDirectory } from "./seed.ts";

/** How often to poll the operations, in milliseconds. */
const POLL_INTERVAL_MS = 100;

/** The user doing the searches, who owns one in a hundred memories. */
const SEARCHED_USER = "user-1%";

/** Maximum duration of a round, in seconds. */
const MAX_LOAD_SECONDS = 120;

/**
 * Alternates between searches on their own and searches while all files are extracted. The latter
 * run from the completion of the first upload until the last operation succeeds. No query or upload
 * is ever repeated.
 */
export async function benchUploads(options: BenchOptions, seeds: string): Promise<Row[]> {
  if (!existsSync(options.files)) {
    return [{ what: "search", on: "files", note: "folder not found" }];
  }
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
  const [alone, duringExtraction, duringEmbedding]: [LoadStats[], LoadStats[], LoadStats[]] = [
    [],
    [],
    [],
  ];
  const durations: number[] = [];
  await runLoad(server, { ...load, seconds: options.warmUpSeconds });
  for (let turn = 0; turn < options.rounds; turn++) {
    alone.push(await runLoad(server, load));
    const start = performance.now();
    const operations = await uploadFiles(server, files, `${clients}-${turn}`);
    const extraction = new AbortController();
    const extracted = waitForOperations(server, operations).finally(() => extraction.abort());
    const extractionLoad = runLoad(server, {
      ...load,
      seconds: MAX_LOAD_SECONDS,
      signal: extraction.signal,
    });
    duringExtraction.push((await Promise.all([extractionLoad, extracted]))[0]);
    durations.push((performance.now() - start) / 1_000);
    const embedding = new AbortController();
    const embedded = waitForEmbeddings(server).finally(() => embedding.abort());
    const embeddingLoad = runLoad(server, {
      ...load,
      seconds: MAX_LOAD_SECONDS,
      signal: embedding.signal,
    });
    duringEmbedding.push((await Promise.all([embeddingLoad, embedded]))[0]);
  }
  const seconds = round(median(durations), 1);
  const ratio = round(
    median(duringExtraction.map(({ p99 }) => p99)) / median(alone.map(({ p99 }) => p99)),
    2,
  );
  const memory = { after_mb: round(residentMb(server.pid), 0) };
  return [
    statsRow("search alone", on, clients, medianStats(alone)),
    {
      ...statsRow("search during extraction", on, clients, medianStats(duringExtraction)),
      ...memory,
      note: `${files.length} files in ${seconds} s; p99 x ${ratio}`,
    },
    statsRow("search during embedding", on, clients, medianStats(duringEmbedding)),
  ];
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** Creates, sends and completes an upload for every file. Returns the operation ids. */
async function uploadFiles(
  server: ServerProcess,
  files: readonly string[],
  turn: string,
): Promise<string[]> {
  const connection = await HttpConnection.open(server.url);
  const send = async (method: string, path: string, body?: unknown, key = "") => {
    const headers = key === "" ? AUTH_HEADERS : { ...AUTH_HEADERS, "idempotency-key": key };
    const response = await connection.send(encodeRequest(method, path, headers, body));
    if (response.status >= 300) throw new Error(`${method} ${path} failed: ${response.head}`);
    return response;
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
    const uploadPath = `/v1/document-uploads/${source_asset.id}`;
    await send("PUT", `${uploadPath}/content`, bytes);
    await send("POST", `${uploadPath}/complete`);
    operations.push(source_asset.operation_id);
  }
  connection.close();
  return operations;
}

/**
 * Resolves once every operation has succeeded.
 *
 * @throws {Error} if an operation fails
 */
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
  // deno-lint-ignore no-explicit-any -- the caller knows the type of the response
  isDone: (body: any) => boolean,
): Promise<void> {
  const connection = await HttpConnection.open(server.url);
  const request = encodeRequest("GET", path, AUTH_HEADERS);
  while (!isDone(parseJson(await connection.send(request)))) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  connection.close();
}

/** Returns the median of each figure across the rounds. */
function medianStats(rounds: readonly LoadStats[]): LoadStats {
  const medianOf = (pick: (stats: LoadStats) => number) => median(rounds.map(pick));
  return {
    calls: medianOf(({ calls }) => calls),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    failure: rounds.find(({ failure }) => failure !== null)?.failure ?? null,
    perSecond: medianOf(({ perSecond }) => perSecond),
    p50: medianOf(({ p50 }) => p50),
    p95: medianOf(({ p95 }) => p95),
    p99: medianOf(({ p99 }) => p99),
    max: medianOf(({ max }) => max),
    serverCpuMs: medianOf(({ serverCpuMs }) => serverCpuMs),
    generatorCpuMs: medianOf(({ generatorCpuMs }) => generatorCpuMs),
  };
}
