/**
 * Measures the resident memory of a new service: when idle, after the first texts and searches, and
 * a while later.
 */

import { delay, systemTimers } from "../../src/kernel/timers.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { readMarkup } from "../eval/markup.ts";
import type { BenchOptions } from "./options.ts";
import { peakResidentMb, residentMb, waitUntilIdle } from "./process_usage.ts";
import { round, type Row } from "./report.ts";
import { AUTH_HEADERS } from "./seed.ts";

const MESSAGES = new URL("../../training/inference/test/thea-turns.txt", import.meta.url).pathname;

/** Number of adds, half of them with inference. A search follows each of them. */
const ADDS = 120;

/** Time after which memory is read again, in milliseconds. */
const LATER_MS = 120_000;

/** How often to poll the status of an add, in milliseconds. */
const POLL_INTERVAL_MS = 100;

const USER = "bench";

/** Measures one service with an embedder and its tagger. */
export async function benchFootprint({ logLevel, embedder }: BenchOptions): Promise<Row[]> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { logLevel, embedder });
  const memory = () => round(residentMb(server.pid), 0);
  const on = `embedder ${embedder}`;
  try {
    await waitUntilIdle(server.pid);
    const idle = memory();
    await addAndSearch(server);
    const [after, peak] = [memory(), round(peakResidentMb(server.pid), 0)];
    await delay(systemTimers, LATER_MS);
    return [
      {
        what: "adds and searches",
        on,
        calls: 2 * ADDS,
        idle_mb: idle,
        peak_mb: peak,
        after_mb: after,
      },
      { what: "two minutes later", on, after_mb: memory() },
    ];
  } finally {
    await server.stop();
    await rm(directory);
  }
}

/** Sends an add and a search per message, and waits until everything has been read and embedded. */
async function addAndSearch(server: ServerProcess): Promise<void> {
  const connection = await HttpConnection.open(server.url);
  // deno-lint-ignore no-explicit-any -- reads the fields that the API documents
  const call = async (method: string, path: string, body?: unknown, key?: string): Promise<any> => {
    const headers = { ...AUTH_HEADERS, ...(key === undefined ? {} : { "idempotency-key": key }) };
    const response = await connection.send(encodeRequest(method, path, headers, body));
    if (response.status >= 300) throw new Error(`${method} ${path} failed: ${response.head}`);
    return parseJson(response);
  };
  const messages = readMarkup(MESSAGES).slice(0, ADDS)
    .map((sentences) => sentences.map(({ text }) => text).join(" "));
  const events: string[] = [];
  for (const [number, content] of messages.entries()) {
    const isInferred = number % 2 === 1;
    const body = isInferred ? { messages: [{ role: "user", content }] } : { content, infer: false };
    const added = await call("POST", "/v1/memories", { ...body, user_id: USER }, `add-${number}`);
    if (isInferred) events.push(added.event_id);
    await call("POST", "/v1/memories/search", { query: content, user_id: USER });
  }
  for (const event of events) {
    for (;;) {
      const { status } = await call("GET", `/v1/events/${event}`);
      if (status === "FAILED") throw new Error(`Inference failed: ${event}`);
      if (status === "SUCCEEDED") break;
      await delay(systemTimers, POLL_INTERVAL_MS);
    }
  }
  await waitUntilIdle(server.pid);
  connection.close();
}
