/** Tests for forged snapshots: an import accepts nothing that a request could not have created. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { canonicalJson, sha256 } from "../../src/kernel/hash.ts";
import { withServer } from "../../testing/harness.ts";
import { bytesOf, extractFile } from "../uploads/files.ts";
import { exportSnapshot, importSnapshot, populate, waitForOperation } from "./snapshots.ts";

// deno-lint-ignore no-explicit-any -- each case changes another part of the records
type Records = Record<string, any[]>;

/** Returns a snapshot with changed records, and with counts and a checksum that match them. */
function forge(snapshot: { readonly records: Records }, change: (records: Records) => void) {
  const records = structuredClone(snapshot.records);
  change(records);
  const counts = Object.fromEntries(
    Object.entries(records).map(([name, list]) => [name, list.length]),
  );
  return { ...snapshot, records, counts, checksum: sha256(canonicalJson(records)) };
}

const NO_SCOPES = { user_id: null, agent_id: null, run_id: null };
const DEEP = JSON.parse('{"a":'.repeat(9) + "1" + "}".repeat(9));

const WRONG: readonly (readonly [change: (records: Records) => void, path: string])[] = [
  [(r) => Object.assign(r.memories![0], NO_SCOPES), "records.memories.0.user_id"],
  [(r) => r.memories![0].user_id = "x".repeat(257), "records.memories.0.user_id"],
  [(r) => r.memories![0].memory = " ", "records.memories.0.memory"],
  [(r) => r.memories![0].memory = "x".repeat(100_001), "records.memories.0.memory"],
  [(r) => r.memories![0].memory = "a\0b", "records.memories.0.memory"],
  [(r) => r.memories![0].memory = "\ud800", "records.memories.0.memory"],
  [(r) => r.memories![0].id = "x".repeat(257), "records.memories.0.id"],
  [(r) => r.memories![0].metadata = DEEP, "records.memories.0.metadata"],
  [(r) => r.memories![0].metadata = [], "records.memories.0.metadata"],
  [(r) => r.history![1].id = r.history![0].id, "records.history.1.id"],
  [(r) => r.history![0].new_memory = "\ud800", "records.history.0.new_memory"],
  [(r) => r.history![0].request_id = "a\0b", "records.history.0.request_id"],
  [(r) => r.history![0].source.operation_id = "a\0b", "records.history.0.source.operation_id"],
  [(r) => r.history![0].changes = changesOf("a\0b"), "records.history.0.changes"],
  [(r) => r.history![0].changes = changesOf("\ud800"), "records.history.0.changes"],
  [(r) => r.feedback!.push({ ...r.feedback![0], id: "fb_2" }), "records.feedback.1.memory_id"],
  [(r) => r.feedback![0].reason = "x".repeat(2_001), "records.feedback.0.reason"],
  [(r) => r.entities![0].total_memories++, "records.entities.0.total_memories"],
  [(r) => r.entities![0].created_at = "never", "records.entities.0.created_at"],
  [
    (r) => r.episodes![0].error = { ...ERROR, occurred_at: "never" },
    "records.episodes.0.error.occurred_at",
  ],
  [
    (r) => r.episodes![0].error = { ...ERROR, message: "a\0b", occurred_at: AT },
    "records.episodes.0.error.message",
  ],
  [(r) => r.episodes![0].results[0].event = "GUESS", "records.episodes.0.results.0.event"],
  [(r) => Object.assign(r.documents![0], NO_SCOPES), "records.documents.0.user_id"],
  [(r) => r.documents![0].version_hash = "a", "records.documents.0.version_hash"],
  [(r) => r.documents![0].metadata = DEEP, "records.documents.0.metadata"],
  [(r) => r.documents![0].content_hash = "0".repeat(64), "records.documents.0.content_hash"],
  [(r) => r.document_contents![0].content += "!", "records.documents.0.content_hash"],
  [
    (r) => r.documents!.forEach((document) => document.current = true),
    "records.documents.1.source_key",
  ],
  [(r) => r.documents![0].size_bytes++, "records.documents.0.content_hash"],
  [(r) => r.documents![0].source_key = "", "records.documents.0.source_key"],
  [(r) => r.documents![0].title = "\ud800", "records.documents.0.title"],
  [(r) => r.documents![0].id = "a\0b", "records.documents.0.id"],
  [(r) => r.document_contents![0].content = "", "records.document_contents.0.content"],
  [(r) => r.document_contents![0].content = "a\0b", "records.document_contents.0.content"],
  [(r) => r.document_contents![0].content = "\ud800", "records.document_contents.0.content"],
  [(r) => r.source_assets![0].filename = " ", "records.source_assets.0.filename"],
  [
    (r) => r.source_assets![0].operation_id = r.episodes![0].id,
    "records.source_assets.0.operation_id",
  ],
];

const AT = "2026-01-01T00:00:00.000Z";
const changesOf = (text: string) => ({ metadata: { from: null, to: { a: [text] } } });

const ERROR = { code: "INTERNAL_ERROR", message: "", retryable: false, attempt: 1 };

Deno.test("POST /v1/imports rejects invalid records even if the checksum is correct", async (t) => {
  await withServer(async (server) => {
    await populate(server);
    await extractFile(server, { bytes: bytesOf("Tea"), fields: { filename: "tea.txt" } });
    const { snapshot } = await exportSnapshot(server.call);
    await withServer(async ({ call }) => {
      for (const [change, path] of WRONG) {
        await t.step(path, async () => {
          const refused = await importSnapshot(call, forge(snapshot, change));
          deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_SNAPSHOT"]);
          const paths = refused.json.details.issues.map((issue: { path: string }) => issue.path);
          ok(paths.includes(path), `${path} in ${paths}`);
        });
      }
      strictEqual((await importSnapshot(call, forge(snapshot, () => {}))).status, 202);
    });
  });
});

Deno.test("POST /v1/imports restores all metadata keys, including those with a special meaning in JavaScript", async () => {
  await withServer(async (first) => {
    const metadata = '{"__proto__":{"a":1},"constructor":2,"toString":null}';
    const raw = `{"infer":false,"content":"Ana","user_id":"ana","metadata":${metadata}}`;
    const headers = { "content-type": "application/json" };
    const added = await first.call("POST", "/v1/memories", { raw, headers });
    const document = raw.replace('"infer":false,', "");
    strictEqual(
      (await first.call("POST", "/v1/documents", { raw: document, headers })).status,
      200,
    );
    const { snapshot } = await exportSnapshot(first.call);
    await withServer(async ({ call }) => {
      const queued = await importSnapshot(call, snapshot);
      strictEqual((await waitForOperation(call, queued.json.id)).status, "success");
      const memory = await call("GET", `/v1/memories/${added.json.results[0].id}`);
      ok(memory.text.includes(`"metadata":${metadata}`), memory.text);
      const documents = await call("GET", "/v1/documents");
      ok(documents.text.includes(`"metadata":${metadata}`), documents.text);
    });
  });
});

Deno.test("DELETE /v1/documents/{id} deletes an imported source without a current version", async () => {
  await withServer(async (first) => {
    const content = { content: "Tea from Porto", user_id: "ana" };
    const stored = await first.call("POST", "/v1/documents", { body: content });
    const { snapshot } = await exportSnapshot(first.call);
    const forged = forge(snapshot, ({ documents }) => documents![0].current = false);
    await withServer(async ({ call }) => {
      const queued = await importSnapshot(call, forged);
      strictEqual((await waitForOperation(call, queued.json.id)).status, "success");
      deepStrictEqual((await call("GET", "/v1/documents")).json.results, []);
      const path = `/v1/documents/${stored.json.document.id}`;
      strictEqual((await call("GET", path)).status, 200);
      strictEqual((await call("DELETE", path)).status, 200);
      strictEqual((await call("GET", path)).status, 404);
    });
  });
});
