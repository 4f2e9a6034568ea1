/**
 * Compares background embedding in the server with the bare model, to show the server's overhead.
 */

import { NO_EMBEDDER, openEmbedder } from "../../src/embedding/open.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import type { BenchOptions } from "./options.ts";
import { cpuMs } from "./process_usage.ts";
import { round, type Row } from "./report.ts";
import { AUTH_HEADERS } from "./seed.ts";

const TEXT_COUNT = 1_000;

/** Texts per add, and per call to the model. */
const BATCH_TEXTS = 100;

const ROUNDS = 3;

/** Texts per second, and the CPU time of all texts in milliseconds. */
interface Measured {
  readonly perSecond: number;
  readonly cpu: number;
}

/**
 * Alternates between the two so that changes in machine load affect both. The server's time
 * includes loading the model.
 */
export async function benchEmbedding({ embedder }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const text = new TextGenerator(turn);
    const texts = Array.from({ length: TEXT_COUNT }, () => text.memory());
    const row = (what: string, { perSecond, cpu }: Measured) =>
      rows.push({
        what,
        on: `${TEXT_COUNT} memories`,
        calls: TEXT_COUNT,
        per_s: round(perSecond, 0),
        cpu_ms: round(cpu / TEXT_COUNT, 2),
      });
    row("embed, model alone", await measureModel(embedder, texts));
    row("embed, server", await measureServer(embedder, texts));
  }
  return rows;
}

async function measureModel(name: string, texts: readonly string[]): Promise<Measured> {
  const model = openEmbedder({ ...NO_EMBEDDER, name });
  if (model === null) return { perSecond: 0, cpu: 0 };
  try {
    // Loads all copies of the model.
    await model.embedPassages(texts.slice(0, BATCH_TEXTS));
    const [start, cpu] = [performance.now(), cpuMs("self")];
    for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
      await model.embedPassages(texts.slice(at, at + BATCH_TEXTS));
    }
    const perSecond = texts.length / (performance.now() - start) * 1_000;
    return { perSecond, cpu: cpuMs("self") - cpu };
  } finally {
    model.close();
  }
}

async function measureServer(embedder: string, texts: readonly string[]): Promise<Measured> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { embedder });
  const connection = await HttpConnection.open(server.url);
  const call = async (method: string, path: string, body?: unknown) =>
    parseJson(await connection.send(encodeRequest(method, path, AUTH_HEADERS, body)));
  try {
    for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
      const messages = texts.slice(at, at + BATCH_TEXTS).map((content) => ({
        role: "user",
        content,
      }));
      await call("POST", "/v1/memories", { messages, user_id: "bench", infer: false });
    }
    const [start, cpu] = [performance.now(), cpuMs(server.pid)];
    const pending = async () => (await call("GET", "/v1/health")).projections.vector_pending;
    const first = await pending();
    while (await pending() > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const perSecond = first / (performance.now() - start) * 1_000;
    return { perSecond, cpu: cpuMs(server.pid) - cpu };
  } finally {
    connection.close();
    await server.stop();
    await rm(directory);
  }
}
