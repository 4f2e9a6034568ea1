/**
 * Compares background embedding in the server with the bare model, to show the server's overhead.
 */

import { NO_EMBEDDER, openEmbedder } from "../../src/embedding/open.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import type { BenchOptions } from "./options.ts";
import { round, type Row } from "./report.ts";
import { AUTH_HEADERS } from "./seed.ts";

const TEXT_COUNT = 1_000;

/** Texts per add, and per call to the model. */
const BATCH_TEXTS = 100;

const ROUNDS = 3;

/**
 * Alternates between the two so that changes in machine load affect both. The server's time
 * includes loading the model.
 */
export async function benchEmbedding({ embedder }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const text = new TextGenerator(turn);
    const texts = Array.from({ length: TEXT_COUNT }, () => text.memory());
    const row = (what: string, perSecond: number) =>
      rows.push({
        what,
        on: `${TEXT_COUNT} memories`,
        calls: TEXT_COUNT,
        per_s: round(perSecond, 0),
      });
    row("embed, model alone", await measureModel(embedder, texts));
    row("embed, server", await measureServer(embedder, texts));
  }
  return rows;
}

async function measureModel(name: string, texts: readonly string[]): Promise<number> {
  const model = openEmbedder({ ...NO_EMBEDDER, name });
  if (model === null) return 0;
  try {
    await model.embedPassages(texts.slice(0, 1));
    const start = performance.now();
    for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
      await model.embedPassages(texts.slice(at, at + BATCH_TEXTS));
    }
    return texts.length / (performance.now() - start) * 1_000;
  } finally {
    model.close();
  }
}

async function measureServer(embedder: string, texts: readonly string[]): Promise<number> {
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
    const start = performance.now();
    const pending = async () => (await call("GET", "/v1/health")).projections.vector_pending;
    const first = await pending();
    while (await pending() > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    return first / (performance.now() - start) * 1_000;
  } finally {
    connection.close();
    await server.stop();
    await rm(directory);
  }
}
