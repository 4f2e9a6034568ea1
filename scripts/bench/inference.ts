/**
 * Measures how long other requests wait while the server processes inferred adds of the maximum
 * size. To find out, one client keeps sending a cheap request.
 */

import { LIMITS } from "../../src/kernel/limits.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { type Row, statsRow } from "./report.ts";
import { AUTH_HEADERS } from "./seed.ts";

/**
 * Sentences per message. With the maximum number of messages, this gets close to the maximum amount
 * of text.
 */
const SENTENCES_PER_MESSAGE = 3;

/** Maximum duration of a load. Far longer than all rounds put together. */
const MAX_LOAD_SECONDS = 600;

/** How often to poll the status of an add, in milliseconds. */
const POLL_INTERVAL_MS = 100;

/** Measures reads alone, and reads during `rounds` consecutive inferred adds. */
export async function benchInference(options: BenchOptions): Promise<Row[]> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { logLevel: options.logLevel });
  const read = encodeRequest("GET", "/v1/entities", AUTH_HEADERS);
  const load = { clients: 1, maxCalls: MAX_CALLS, next: () => read };
  try {
    await runLoad(server, { ...load, seconds: options.warmUpSeconds });
    const alone = await runLoad(server, { ...load, seconds: options.seconds });
    const done = new AbortController();
    const duringAdds = runLoad(server, { ...load, seconds: MAX_LOAD_SECONDS, signal: done.signal });
    const adding = addSequentially(server, options.rounds).finally(() => done.abort());
    const [stats, failed] = await Promise.all([duringAdds, adding]);
    return [
      statsRow("read", "alone", 1, alone),
      {
        ...statsRow("read", `during ${options.rounds} inferred adds`, 1, stats),
        ...(failed > 0 ? { note: `${failed} adds failed` } : {}),
      },
    ];
  } finally {
    await server.stop();
    await rm(directory);
  }
}

/** Sends `rounds` adds, each once the previous one has finished. Returns how many failed. */
async function addSequentially(server: ServerProcess, rounds: number): Promise<number> {
  const text = new TextGenerator();
  const connection = await HttpConnection.open(server.url);
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    const messages = Array.from({ length: LIMITS.messages }, () => ({
      role: "user",
      content: Array.from({ length: SENTENCES_PER_MESSAGE }, () => `I like ${text.memory()}.`).join(
        " ",
      ),
    }));
    const headers = { ...AUTH_HEADERS, "idempotency-key": `round-${round}` };
    const body = { messages, user_id: "bench" };
    const response = await connection.send(encodeRequest("POST", "/v1/memories", headers, body));
    if (response.status !== 202) throw new Error(`Add was rejected: ${response.head}`);
    const path = `/v1/events/${parseJson(response).event_id}`;
    let status = "PENDING";
    while (status !== "SUCCEEDED" && status !== "FAILED") {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      status = parseJson(await connection.send(encodeRequest("GET", path, AUTH_HEADERS))).status;
    }
    if (status === "FAILED") failed++;
  }
  connection.close();
  return failed;
}
