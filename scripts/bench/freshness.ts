/**
 * Measures how embedding in the background and requests get along: searches during and after the
 * embedding of a backlog, and the time from the response to a single add until a search finds the
 * memory by meaning.
 */

import { delay, systemTimers } from "../../src/kernel/timers.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { rm } from "../../testing/temp_dir.ts";
import { englishMemories, TextGenerator } from "./corpus.ts";
import { type Load, runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { round, type Row, statsRow } from "./report.ts";
import { addRequest, AUTH_HEADERS, copyDirectory, seededDirectory } from "./seed.ts";

const USER = "bench";
const ADDS = 50;

/** Time without requests before each add, in milliseconds. */
const IDLE_MS = 500;

/** How often to poll for the end of the backlog, in milliseconds. */
const POLL_INTERVAL_MS = 100;

/** Measures both with a backlog of each size. */
export async function benchFreshness(options: BenchOptions, seeds: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of options.sizes) {
    const on = `${size} memories`;
    const directory = copyDirectory(await seededDirectory(seeds, size, "english"));
    const { logLevel, embedder } = options;
    const server = await ServerProcess.start(directory, { logLevel, embedder });
    const connection = await HttpConnection.open(server.url);
    const call = async (request: Uint8Array) => parseJson(await connection.send(request));
    const pending = async () =>
      (await call(encodeRequest("GET", "/v1/health", AUTH_HEADERS))).projections.vector_pending;
    try {
      const text = new TextGenerator(size);
      const search = () => searchRequest({ query: text.query() });
      const load: Load = {
        clients: 1,
        seconds: options.seconds,
        maxCalls: MAX_CALLS,
        next: search,
      };
      await runLoad(server, { ...load, seconds: options.warmUpSeconds });
      const during = statsRow("search during embedding", on, 1, await runLoad(server, load));
      const left = await pending();
      rows.push({ ...during, note: during.note ?? `${left} left to embed` });
      while (await pending() > 0) await delay(systemTimers, POLL_INTERVAL_MS);
      await runLoad(server, { ...load, seconds: options.warmUpSeconds });
      rows.push(statsRow("search alone", on, 1, await runLoad(server, load)));
      rows.push({ what: "found by meaning", on, calls: ADDS, ...await measureAdds(call) });
    } finally {
      connection.close();
      await server.stop();
      await rm(directory);
    }
  }
  return rows;
}

// deno-lint-ignore no-explicit-any -- reads the fields that the API documents
async function measureAdds(call: (request: Uint8Array) => Promise<any>): Promise<Partial<Row>> {
  const times: number[] = [];
  const texts = englishMemories(ADDS);
  for (let turn = 0; turn < ADDS; turn++) {
    const content = texts.next().value;
    await delay(systemTimers, IDLE_MS);
    const { results: [{ id }] } = await call(addRequest({ content, user_id: USER }));
    const start = performance.now();
    const search = searchRequest({ query: content, user_id: USER, trace: true });
    const isFound = async () =>
      (await call(search)).trace.lists.vector.some((hit: { id: string }) => hit.id === id);
    while (!await isFound()) { /* the next search */ }
    times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    p50_ms: round(sorted[ADDS >> 1]!, 1),
    p95_ms: round(sorted[Math.floor(ADDS * 0.95)]!, 1),
    max_ms: round(sorted.at(-1)!, 1),
  };
}

function searchRequest(body: Readonly<Record<string, unknown>>): Uint8Array {
  return encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, body);
}
