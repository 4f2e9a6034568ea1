/**
 * Compares a context with the requests it replaces: a memory search, a document search and the
 * profile. Runs on the dialogue, with each conversation also stored as a document.
 */

import { encodeRequest, HttpConnection } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { type BenchQuery, readDialogue, readQuestions } from "./corpus.ts";
import { runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { waitUntilIdle } from "./process_usage.ts";
import { type Row, statsRow } from "./report.ts";
import { AUTH_HEADERS, seedDialogue } from "./seed.ts";

const QUESTION_COUNT = 200;

/** The requests, keyed by name. */
const REQUESTS: Readonly<Record<string, (question: BenchQuery) => Uint8Array>> = {
  "memory search": ({ query, user_id }) =>
    encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, { query, user_id, top_k: 30 }),
  "document search": ({ query, user_id }) =>
    encodeRequest("POST", "/v1/documents/search", AUTH_HEADERS, { query, user_id, limit: 10 }),
  profile: ({ user_id }) => encodeRequest("GET", `/v1/profile?user_id=${user_id}`, AUTH_HEADERS),
  context: ({ query, user_id }) =>
    encodeRequest("POST", "/v1/context", AUTH_HEADERS, { query, user_id }),
  "context, searches only": ({ query, user_id }) =>
    encodeRequest("POST", "/v1/context", AUTH_HEADERS, {
      query,
      user_id,
      include: ["memories", "passages"],
    }),
};

/** Measures one request after the other, each by a single client. */
export async function benchContext(options: BenchOptions): Promise<Row[]> {
  const dialogue = readDialogue(options.dialogue);
  if (dialogue === null) return [{ what: "context", on: "dialogue", note: "file not found" }];
  const directory = makeTempDirSync();
  const { logLevel, embedder } = options;
  const server = await ServerProcess.start(directory, { logLevel, embedder });
  const rows: Row[] = [];
  try {
    await seedDialogue(server, dialogue);
    await seedDocuments(server, dialogue);
    await waitUntilIdle(server.pid);
    // The server caches the last 1,000 query vectors.
    const questions = readQuestions(options.dialogue).slice(0, QUESTION_COUNT);
    for (const [name, request] of Object.entries(REQUESTS)) {
      let turn = 0;
      const load = {
        clients: 1,
        maxCalls: MAX_CALLS,
        next: () => request(questions[turn++ % questions.length]!),
      };
      // Asks each question once, so that all of their vectors are cached from then on.
      await runLoad(server, { ...load, maxCalls: questions.length, seconds: 60 });
      const stats = await runLoad(server, { ...load, seconds: options.seconds });
      rows.push(statsRow(name, "dialogue", 1, stats));
    }
  } finally {
    await server.stop();
    await rm(directory);
  }
  return rows;
}

async function seedDocuments(
  server: ServerProcess,
  dialogue: readonly { readonly content: string; readonly user_id: string }[],
): Promise<void> {
  const connection = await HttpConnection.open(server.url);
  for (const [user_id, turns] of Map.groupBy(dialogue, (turn) => turn.user_id)) {
    const content = turns.map((turn) => turn.content).join("\n\n");
    const body = { content, source_key: user_id, mime_type: "text/markdown", user_id };
    const request = encodeRequest("POST", "/v1/documents", AUTH_HEADERS, body);
    const response = await connection.send(request);
    if (response.status !== 200) throw new Error(`Seeding failed: ${response.head}`);
  }
  connection.close();
}
