/** What others wait for while inferred adds of the largest size are read: one client, one cheap read. */

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

/** Of each message: with as many messages as there may be, nearly as much text as there may be. */
const SENTENCES_PER_MESSAGE = 3;

/** Far longer than all rounds take. */
const MAX_LOAD_SECONDS = 600;

/** How often it is asked whether an add is done. */
const POLL_INTERVAL_MS = 100;

/** Reads alone, and beside as many inferred adds, one after the other, as there are rounds. */
export async function benchInference(options: BenchOptions): Promise<Row[]> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { logLevel: options.logLevel });
  const read = encodeRequest("GET", "/v1/entities", AUTH_HEADERS);
  const load = { clients: 1, maxCalls: MAX_CALLS, next: () => read };
  try {
    await runLoad(server, { ...load, seconds: options.warmUpSeconds });
    const alone = await runLoad(server, { ...load, seconds: options.seconds });
    const done = new AbortController();
    const beside = runLoad(server, { ...load, seconds: MAX_LOAD_SECONDS, signal: done.signal });
    const adding = addSequentially(server, options.rounds).finally(() => done.abort());
    const [figures, failed] = await Promise.all([beside, adding]);
    return [
      statsRow("read", "nothing else", 1, alone),
      {
        ...statsRow("read", `${options.rounds} inferred adds`, 1, figures),
        ...(failed > 0 ? { note: `${failed} adds failed` } : {}),
      },
    ];
  } finally {
    await server.stop();
    await rm(directory);
  }
}

/** Adds so many times, each when the one before it has ended; answers how many have failed. */
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
    const queued = await connection.send(encodeRequest("POST", "/v1/memories", headers, body));
    if (queued.status !== 202) throw new Error(`An add was refused: ${queued.head}`);
    const path = `/v1/events/${parseJson(queued).event_id}`;
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
