/**
 * `deno task docs:examples`: records the examples in the OpenAPI document. Sends one request per
 * operation to a fresh server and writes it with its response to `src/http/openapi_examples.json`.
 */

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationExample } from "../../src/http/openapi_examples.ts";
import {
  type Reply,
  type RequestOptions,
  type TestServer,
  withServer,
} from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const NOTE = "# Tea\n\nGreen tea is brewed at 80 degrees.\n";
const ANA = { user_id: "ana" };

const examples: Record<string, OperationExample> = {};

/** Sends a request and records it as the example of an operation. */
async function record(
  server: TestServer,
  operationId: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const reply = await server.call(method, path, options);
  if (reply.status >= 400) throw new Error(`${operationId}: ${reply.text}`);
  const text = reply.text.replaceAll(server.url, "http://127.0.0.1:8420");
  examples[operationId] = {
    ...options.body === undefined ? {} : { request: options.body },
    status: reply.status,
    ...reply.text === "" ? {} : { response: JSON.parse(text) },
  };
  return reply;
}

const key = (value: string) => ({ headers: { "idempotency-key": value } });

async function recordMemories(server: TestServer): Promise<void> {
  const said = { role: "user", content: "I live in Porto and work as a nurse." };
  const add = await record(server, "addMemories", "POST", "/v1/memories", {
    ...key("add-1"),
    body: { messages: [said], ...ANA },
  });
  await waitUntil(
    () => record(server, "getEvent", "GET", `/v1/events/${add.json.event_id}`),
    ({ json }) => json.status === "SUCCEEDED",
  );
  await record(server, "listEvents", "GET", "/v1/events?limit=1");
  const listed = await record(server, "listMemories", "GET", "/v1/memories?user_id=ana&limit=1");
  const id: string = listed.json.results[0].id;
  const body = { query: "Where does Ana live?", ...ANA, top_k: 1 };
  await record(server, "searchMemories", "POST", "/v1/memories/search", { body });
  await record(server, "queryMemories", "POST", "/v1/memories/query", {
    body: {
      ...ANA,
      filters: { memory_type: "fact" },
      order_by: "created_at",
      limit: 1,
      count: true,
    },
  });
  await record(server, "getMemory", "GET", `/v1/memories/${id}`);
  await record(server, "updateMemory", "PUT", `/v1/memories/${id}`, {
    body: { importance: 0.9, version: listed.json.results[0].updated_at },
  });
  await record(server, "getMemoryHistory", "GET", `/v1/memories/${id}/history?limit=1`);
  await record(server, "giveFeedback", "POST", `/v1/memories/${id}/feedback`, {
    body: { rating: "positive", reason: "It is correct" },
  });
  await record(server, "getFeedback", "GET", `/v1/memories/${id}/feedback`);
  await record(server, "clearFeedback", "DELETE", `/v1/memories/${id}/feedback`);
  await record(server, "updateMemories", "PUT", "/v1/memories/batch", {
    ...key("batch-1"),
    body: { memories: [{ memory_id: id, importance: 0.7 }] },
  });
  await record(server, "listEntities", "GET", "/v1/entities?type=user");
  await record(server, "getEntity", "GET", "/v1/entities/user/ana");
}

async function recordDocuments(server: TestServer): Promise<void> {
  const document = await record(server, "ingestDocument", "POST", "/v1/documents", {
    body: { content: NOTE, source_key: "tea.md", title: "Tea", mime_type: "text/markdown", ...ANA },
  });
  const id: string = document.json.document.id;
  await record(server, "listDocuments", "GET", "/v1/documents?user_id=ana");
  await record(server, "searchDocuments", "POST", "/v1/documents/search", {
    body: { query: "How hot is green tea?", ...ANA, limit: 1 },
  });
  await record(server, "getDocument", "GET", `/v1/documents/${id}`);
  await record(server, "getDocumentContent", "GET", `/v1/documents/${id}/content`);
  await record(server, "listDocumentChunks", "GET", `/v1/documents/${id}/chunks`);
  const upload = await record(server, "createUpload", "POST", "/v1/document-uploads", {
    ...key("upload-1"),
    body: {
      filename: "coffee.txt",
      size_bytes: 21,
      content_type: "text/plain",
      checksum_sha256: createHash("sha256").update("Coffee is ground first").digest("hex"),
      ...ANA,
    },
  });
  const path = `/v1/document-uploads/${upload.json.source_asset.id}`;
  await server.call("DELETE", path);
  const bytes = new TextEncoder().encode("Coffee is ground first.");
  const again = await server.call("POST", "/v1/document-uploads", {
    ...key("upload-2"),
    body: { filename: "coffee.txt", size_bytes: bytes.length, content_type: "text/plain", ...ANA },
  });
  const asset = `/v1/document-uploads/${again.json.source_asset.id}`;
  await record(server, "putUploadContent", "PUT", `${asset}/content`, {
    raw: bytes,
    headers: { "content-type": "text/plain" },
  });
  await record(server, "completeUpload", "POST", `${asset}/complete`);
  await waitUntil(
    () => record(server, "getUpload", "GET", asset),
    ({ json }) => JSON.stringify(json).includes('"ready"'),
  );
  const unused = await server.call("POST", "/v1/document-uploads", {
    ...key("upload-3"),
    body: { filename: "unused.txt", size_bytes: 1, content_type: "text/plain", ...ANA },
  });
  const unusedPath = `/v1/document-uploads/${unused.json.source_asset.id}`;
  await record(server, "deleteUpload", "DELETE", unusedPath);
}

async function recordViews(server: TestServer): Promise<void> {
  const slot = "user_id=ana&subject=user&attribute=lives_in";
  await waitUntil(
    () => server.call("GET", `/v1/state?${slot}`),
    ({ json }) => json.data !== undefined && json.data !== null,
  );
  await record(server, "getState", "GET", `/v1/state?${slot}`);
  await record(server, "getStateHistory", "GET", `/v1/state/history?${slot}`);
  await record(server, "getBeliefs", "GET", `/v1/beliefs?${slot}`);
  await record(server, "getProfile", "GET", "/v1/profile?user_id=ana");
  await record(server, "getContext", "POST", "/v1/context", {
    body: { query: "How does Ana like her tea?", ...ANA, max_tokens: 300, include: ["passages"] },
  });
  await record(server, "listUnreadTexts", "GET", "/v1/inference/unread");
  await record(server, "explainInference", "POST", "/v1/inference/explain", {
    body: { text: "I live in Porto." },
  });
  await record(server, "getHealth", "GET", "/v1/health");
}

async function recordOperations(server: TestServer): Promise<void> {
  const started = await record(server, "exportProject", "POST", "/v1/exports", key("export-1"));
  const operation = `/v1/operations/${started.json.id}`;
  const { json } = await waitUntil(
    () => server.call("GET", operation),
    (reply) => ["success", "committed"].includes(reply.json.status),
  );
  // The result of an export is the whole snapshot.
  const { result: _, ...rest } = json;
  examples["getOperation"] = { status: 200, response: { ...rest, result: null } };
  await record(server, "listOperations", "GET", "/v1/operations?kind=memory_infer&limit=1");
  // Only failed operations can be retried, and none has failed here.
  const waiting = { status: "pending", attempts: 5, started_at: null, completed_at: null };
  examples["retryOperation"] = { status: 202, response: { ...rest, result: null, ...waiting } };
  const other = await server.createKey("elsewhere");
  const empty = await server.call("POST", "/v1/exports", { ...key("export-2"), key: other });
  const { json: { result } } = await waitUntil(
    () => server.call("GET", `/v1/operations/${empty.json.id}`, { key: other }),
    (reply) => ["success", "committed"].includes(reply.json.status),
  );
  await record(server, "importSnapshot", "POST", "/v1/imports", {
    ...key("import-1"),
    key: await server.createKey("restored"),
    body: { snapshot: result.snapshot ?? result },
  });
  await record(server, "exportFile", "POST", "/v1/exports/jsonl", key("export-3"));
  // An archive isn't JSON, so there's nothing to record.
  examples["getExportedFile"] = { status: 200, response: "PK…" };
  await record(server, "importFile", "POST", "/v1/imports/mem0?user_id=ana", {
    ...key("import-2"),
    raw: '[{"id": "7f3c", "memory": "Ana moved to Porto", "created_at": "2024-03-04T09:30:00Z"}]',
    headers: { ...key("import-2").headers, "content-type": "application/octet-stream" },
  });
}

async function recordDeletions(server: TestServer): Promise<void> {
  const [memory, another] = [await server.add("Ana plays the oboe"), await server.add("Ana swims")];
  await record(server, "deleteMemory", "DELETE", `/v1/memories/${memory}`);
  await record(server, "deleteMemories", "DELETE", "/v1/memories/batch", {
    ...key("batch-2"),
    body: { memories: [{ memory_id: another }] },
  });
  const { json } = await server.call("GET", "/v1/documents?source_key=tea.md");
  await record(server, "deleteDocument", "DELETE", `/v1/documents/${json.results[0].id}`);
  await server.add("Bo likes rain", { user_id: "bo", run_id: "r1" });
  await record(server, "deleteMemoriesOfScope", "DELETE", "/v1/memories?run_id=r1");
  await record(server, "deleteEntity", "DELETE", "/v1/entities/user/ana", key("delete-1"));
}

await withServer(async (server) => {
  await recordMemories(server);
  await recordDocuments(server);
  await recordViews(server);
  await recordOperations(server);
  await recordDeletions(server);
});
const file = join(import.meta.dirname!, "../../src/http/openapi_examples.json");
const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => a < b ? -1 : 1));
writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
