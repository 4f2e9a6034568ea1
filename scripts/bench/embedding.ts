/** Texts embedded in the background by the server, and by the model alone: what the way around costs. */

import { NO_EMBEDDER, openEmbedder } from "../../src/embedding/open.ts";
import { encodeRequest, HttpConnection, jsonOf } from "../../tests/connection.ts";
import { ServerProcess } from "../../tests/server_process.ts";
import { makeTempDirSync, rm } from "../../tests/temporary.ts";
import { GeneratedText } from "./corpus.ts";
import type { BenchOptions } from "./options.ts";
import { round, type Row } from "./report.ts";
import { AUTHORIZED } from "./seed.ts";

const TEXTS = 1_000;

/** Texts of one add, and of one call of the model. */
const BATCH = 100;

const ROUNDS = 3;

/** Both in turn, so that both meet the same machine. The server's share includes loading the model. */
export async function benchEmbedding({ embedder }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const text = new GeneratedText(turn);
    const texts = Array.from({ length: TEXTS }, () => text.memory());
    const row = (what: string, perSecond: number) =>
      rows.push({ what, on: `${TEXTS} memories`, calls: TEXTS, per_s: round(perSecond, 0) });
    row("embed, the model alone", await alone(embedder, texts));
    row("embed, the server", await served(embedder, texts));
  }
  return rows;
}

async function alone(name: string, texts: readonly string[]): Promise<number> {
  const model = openEmbedder({ ...NO_EMBEDDER, name });
  if (model === null) return 0;
  try {
    await model.passages(texts.slice(0, 1));
    const start = performance.now();
    for (let at = 0; at < texts.length; at += BATCH) {
      await model.passages(texts.slice(at, at + BATCH));
    }
    return texts.length / (performance.now() - start) * 1_000;
  } finally {
    model.close();
  }
}

async function served(embedder: string, texts: readonly string[]): Promise<number> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { embedder });
  const connection = await HttpConnection.open(server.url);
  const call = async (method: string, path: string, body?: unknown) =>
    jsonOf(await connection.send(encodeRequest(method, path, AUTHORIZED, body)));
  try {
    for (let at = 0; at < texts.length; at += BATCH) {
      const messages = texts.slice(at, at + BATCH).map((content) => ({ role: "user", content }));
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
