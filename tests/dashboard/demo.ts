/** Demo data that leaves no dashboard page empty. */

import { DatabaseSync } from "node:sqlite";
import { ACTIVITY_KINDS } from "../../src/activity/schema.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import type { TestServer } from "../../testing/harness.ts";

const MESSAGES = [
  "Ana: We moved to Porto yesterday, the boxes are everywhere.",
  "Ben: How lovely! Did the piano survive the stairs?",
  "Ana: It did, and the neighbours already asked for a concert.",
];

const NOTES: readonly (readonly [user: string, content: string, type: string])[] = [
  ["ana", "Ana prefers to be called before noon.", "preference"],
  ["ana", "The piano is tuned every spring by Rui.", "fact"],
  ["ben", "Ben is allergic to peanuts.", "fact"],
  ["cho", "Cho writes the weekly letter on Fridays.", "fact"],
];

/** Ids in the demo data, for single-record pages. */
export interface Demo {
  readonly memory: string;
  readonly document: string;
  readonly event: string;
  readonly failedOperation: string;
}

/** Fills the default project. */
export async function fillProject(server: TestServer): Promise<Demo> {
  const post = async (path: string, body: unknown, key?: string) => {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const reply = await server.call("POST", path, { body, headers });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.json;
  };
  const messages = MESSAGES.map((content) => ({ role: "user", content }));
  await post("/v1/memories", { messages, user_id: "ana", run_id: "monday", infer: false });
  for (const [user_id, content, memory_type] of NOTES) {
    await post("/v1/memories", { user_id, content, memory_type, infer: false });
  }
  const memory = await server.add("Ana lives in Porto.", { user_id: "ana" });
  await server.call("PUT", `/v1/memories/${memory}`, {
    body: { content: "Ana lives in Porto since March 2026.", importance: 0.8 },
  });
  await post(`/v1/memories/${memory}/feedback`, { rating: "positive", reason: "true" });
  const inferred = await post("/v1/memories", {
    user_id: "ben",
    content: "I moved to Porto in March. I work as a nurse, and I am allergic to peanuts.",
  }, "inferred");
  const ingested = await post("/v1/documents", {
    source_key: "handbook/piano.md",
    title: "How to care for a piano",
    mime_type: "text/markdown",
    user_id: "ana",
    content:
      "# Care\n\nKeep it away from windows.\n\n# Tuning\n\nTune it twice in its first year.\n",
  });
  for (const query of ["What happened to the piano?", "Who is allergic?"]) {
    await post("/v1/memories/search", { query });
  }
  const broken = new TextEncoder().encode("%PDF-1.7 and then nothing that a PDF has");
  const upload = await post("/v1/document-uploads", {
    filename: "score.pdf",
    content_type: "application/pdf",
    size_bytes: broken.length,
    user_id: "ana",
  }, "upload");
  const { id, operation_id } = upload.source_asset;
  await server.call("PUT", `/v1/document-uploads/${id}/content`, {
    raw: broken,
    headers: upload.upload.headers,
  });
  await server.call("POST", `/v1/document-uploads/${id}/complete`);
  await waitForOperation(server, operation_id);
  await waitForOperation(server, inferred.event_id);
  return {
    memory,
    document: ingested.document?.id ?? ingested.id,
    event: inferred.event_id,
    failedOperation: operation_id,
  };
}

/** Waits for an operation to finish and returns its status. */
export async function waitForOperation(server: TestServer, id: string): Promise<string> {
  for (;;) {
    const { json } = await server.call("GET", `/v1/operations/${id}`);
    if (json.status === "success" || json.status === "dead") return json.status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Inserts activity for the past 24 hours, so screenshots show a full day. */
export function fillActivity(server: TestServer): void {
  const database = new DatabaseSync(databasePath(server.directory));
  const insert = database.prepare("insert into activity values (1, ?, ?, ?)");
  const maxCounts = [34, 9, 4, 58];
  for (let ago = 1; ago < 24; ago++) {
    const hour = new Date(Date.now() - ago * 3_600_000).toISOString().slice(0, 13);
    for (const [index, kind] of ACTIVITY_KINDS.entries()) {
      const share = (1 + Math.sin(ago / 3.7 + index)) * (ago * (index + 5) % 7 + 2) / 16;
      insert.run(hour, kind, Math.round(maxCounts[index]! * share));
    }
  }
  database.close();
}
