/**
 * Measures ingestion of small and large documents, how much a large one slows down other requests,
 * and chunk searches, deletions and exports.
 */

import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { utf8Length } from "../../src/kernel/text.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { residentMb } from "./process_usage.ts";
import { round, type Row, statsRow } from "./report.ts";
import { AUTH_HEADERS, copyDirectory, ingestRequest, seededDirectory } from "./seed.ts";

const SMALL_BYTES = 10_000;
const LARGE_BYTES = 990_000;

/** How many documents to generate before a load starts. Each request uses its own source. */
const SMALL_DOCUMENT_COUNT = 200;
const LARGE_DOCUMENT_COUNT = 12;

const QUERY_COUNT = 500;

const TINY_BYTES = 1_000;
const DELETION_COUNT = 500;

/**
 * Measures ingestion into an empty directory, searches in directories of each size, and deletions
 * plus an export.
 */
export async function benchDocuments(options: BenchOptions, seeds: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const clients of options.searchClients) rows.push(await ingestSmall(options, clients));
  const text = new TextGenerator();
  const generated = Array.from({ length: LARGE_DOCUMENT_COUNT }, () => text.markdown(LARGE_BYTES));
  rows.push(...await ingestLarge(options, "1 MB Markdown", generated));
  if (options.markdown !== "") {
    rows.push(...await ingestLarge(options, "file", await versionsOf(options.markdown)));
  }
  for (const size of options.sizes) {
    const directory = copyDirectory(await seededDirectory(seeds, size, "chunks"));
    rows.push(...await searchChunks(options, size, directory));
    rows.push(...await deleteAndExport(options, size));
  }
  return rows;
}

/** Returns documents that share a file's text and differ only in their first line. */
async function versionsOf(file: string): Promise<string[]> {
  const text = await Deno.readTextFile(file);
  return Array.from({ length: LARGE_DOCUMENT_COUNT }, (_, turn) => `Number ${turn}\n\n${text}`);
}

async function withProcess<T>(
  options: BenchOptions,
  work: (server: ServerProcess) => Promise<T>,
  directory = makeTempDirSync(),
): Promise<T> {
  const server = await ServerProcess.start(directory, { logLevel: options.logLevel });
  try {
    return await work(server);
  } finally {
    await server.stop();
    await rm(directory);
  }
}

function ingestSmall(options: BenchOptions, clients: number): Promise<Row> {
  const text = new TextGenerator();
  const contents = Array.from({ length: SMALL_DOCUMENT_COUNT }, () => text.markdown(SMALL_BYTES));
  return withProcess(options, async (server) => {
    let turn = 0;
    const stats = await runLoad(server, {
      clients,
      seconds: options.seconds,
      maxCalls: MAX_CALLS,
      next: () => ingestRequest(contents[turn % contents.length]!, `small-${turn++}`),
    });
    const row = statsRow("ingest", "10 kB Markdown", clients, stats);
    const megabytes = round(stats.perSecond * SMALL_BYTES / 1e6, 1);
    return { ...row, note: row.note ?? `${megabytes} MB/s` };
  });
}

/**
 * Measures ingestion by one client, and the latency seen by a second one that keeps sending small
 * requests.
 */
function ingestLarge(
  options: BenchOptions,
  what: string,
  contents: readonly string[],
): Promise<Row[]> {
  const list = encodeRequest("GET", "/v1/documents?limit=1", AUTH_HEADERS);
  return withProcess(options, async (server) => {
    const load = { clients: 1, seconds: 60, maxCalls: LARGE_DOCUMENT_COUNT };
    let turn = 0;
    const ingest = (name: string) =>
      runLoad(server, {
        ...load,
        next: () => ingestRequest(contents[turn % contents.length]!, `${name}-${turn++}`),
      });
    await ingest("warm-up");
    const alone = await ingest("alone");
    const idle = await latenciesDuring(server, list, () => Promise.resolve());
    let concurrent = alone;
    const duringIngest = await latenciesDuring(server, list, async () => {
      concurrent = await ingest("concurrent");
    });
    turn = 0;
    const duringReplace = await latenciesDuring(server, list, async () => {
      await runLoad(server, {
        ...load,
        next: () =>
          ingestRequest(contents[(turn + 1) % contents.length]!, `concurrent-${turn++ % 3}`),
      });
    });
    const latencyRow = (on: string, sorted: readonly number[]): Row => ({
      what: "list",
      on,
      calls: sorted.length,
      p50_ms: round(sorted[Math.floor(sorted.length / 2)] ?? 0, 2),
      p99_ms: round(sorted[Math.floor(sorted.length * 0.99)] ?? 0, 2),
      max_ms: round(sorted.at(-1) ?? 0, 1),
    });
    const megabytes = round(alone.perSecond * utf8Length(contents[0]!) / 1e6, 1);
    return [
      { ...statsRow("ingest", what, 1, alone), note: `${megabytes} MB/s` },
      statsRow("ingest", `${what}, during lists`, 1, concurrent),
      latencyRow("alone", idle),
      latencyRow(`during ingest of ${what}`, duringIngest),
      latencyRow(`during new versions of ${what}`, duringReplace),
    ];
  });
}

/** Returns the sorted latencies of a client that keeps sending requests while `work` runs. */
async function latenciesDuring(
  server: ServerProcess,
  request: Uint8Array,
  work: () => Promise<void>,
): Promise<number[]> {
  const connection = await HttpConnection.open(server.url);
  const latencies: number[] = [];
  let isWorking = true;
  const done = work().finally(() => {
    isWorking = false;
  });
  while (isWorking || latencies.length < 200) {
    const sent = performance.now();
    await connection.send(request);
    latencies.push(performance.now() - sent);
  }
  await done;
  connection.close();
  return latencies.sort((a, b) => a - b);
}

function searchChunks(options: BenchOptions, size: number, directory: string): Promise<Row[]> {
  return withProcess(options, async (server) => {
    const text = new TextGenerator(size + 1);
    const queries = Array.from({ length: QUERY_COUNT }, () => text.query());
    const sets = {
      "whole project": queries.map((query) => ({ query })),
      "neighbours": queries.map((query) => ({ query, limit: 20, neighbors: 2 })),
      "one source": queries.map((query) => ({ query, source_key: "source-3" })),
      "stop words": queries.map((query) => ({ query: `what is the ${query} of the and to it` })),
    };
    const rows: Row[] = [];
    for (const [set, bodies] of Object.entries(sets)) {
      const requests = bodies.map((body) =>
        encodeRequest("POST", "/v1/documents/search", AUTH_HEADERS, body)
      );
      for (const clients of options.searchClients) {
        let turn = 0;
        const load = {
          clients,
          maxCalls: MAX_CALLS,
          next: () => requests[turn++ % requests.length]!,
        };
        await runLoad(server, { ...load, seconds: options.warmUpSeconds });
        const stats = await runLoad(server, { ...load, seconds: options.seconds });
        const row = statsRow(`search documents, ${set}`, `${size} chunks`, clients, stats);
        rows.push({ ...row, after_mb: round(residentMb(server.pid), 0) });
      }
    }
    return rows;
  }, directory);
}

/**
 * Creates `size` documents with one chunk each, then measures deleting some of them and exporting
 * the rest.
 */
function deleteAndExport(options: BenchOptions, size: number): Promise<Row[]> {
  return withProcess(options, async (server) => {
    const text = new TextGenerator(size);
    let [stored, deleted] = [0, 0];
    const ingestStats = await runLoad(server, {
      clients: 4,
      seconds: Infinity,
      maxCalls: size,
      next: () => ingestRequest(text.markdown(TINY_BYTES), `tiny-${stored++}`),
    });
    const connection = await HttpConnection.open(server.url);
    const call = async (method: string, path: string, headers = {}) =>
      parseJson(
        await connection.send(encodeRequest(method, path, { ...AUTH_HEADERS, ...headers })),
      );
    const ids: string[] = [];
    for (let cursor = ""; ids.length < Math.min(size, DELETION_COUNT);) {
      const page = await call("GET", `/v1/documents?limit=100${cursor}`);
      ids.push(...page.results.map(({ id }: { id: string }) => id));
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    const deleteStats = await runLoad(server, {
      clients: 1,
      seconds: 60,
      maxCalls: ids.length,
      next: () => encodeRequest("DELETE", `/v1/documents/${ids[deleted++]!}`, AUTH_HEADERS),
    });
    const start = performance.now();
    await call("POST", "/v1/exports", { "idempotency-key": "bench" });
    const exportStatus = async () =>
      (await call("GET", "/v1/operations?kind=export")).results[0].status;
    let status = "";
    while (!/^(success|dead)$/.test(status = await exportStatus())) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const seconds = (performance.now() - start) / 1_000;
    connection.close();
    const on = `${size} of 1 kB`;
    return [
      statsRow("ingest", on, 4, ingestStats),
      statsRow("delete a document", on, 1, deleteStats),
      { what: "export", on, clients: 1, calls: 1, note: `${status} after ${round(seconds, 1)} s` },
    ];
  });
}
