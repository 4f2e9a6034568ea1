/** Helpers for import tests: send a file, wait for its operation, and read a project's records. */

import { strictEqual } from "node:assert/strict";
import { createReadStream } from "node:fs";
import { Buffer } from "node:buffer";
import yazl from "yazl";
import type { RequestOptions, TestServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

export type Call = TestServer["call"];

/** A file's content, or the files of an archive by name. */
export type Sample = string | Uint8Array | Readonly<Record<string, string | Uint8Array>>;

let keys = 0;

/** Returns the options for sending a file with an unused idempotency key. */
export async function fileRequest(sample: Sample): Promise<RequestOptions> {
  return {
    raw: await bytesOf(sample),
    headers: {
      "content-type": "application/octet-stream",
      "idempotency-key": `import-${++keys}`,
    },
  };
}

/** Returns a file as bytes. Several files become an archive. */
export async function bytesOf(sample: Sample): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof sample === "string") return new TextEncoder().encode(sample);
  if (sample instanceof Uint8Array) return new Uint8Array(sample);
  // deno-lint-ignore no-explicit-any -- the package has no types
  const zip = new (yazl as any).ZipFile();
  for (const [name, content] of Object.entries(sample)) {
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date("2024-05-06T07:08:10Z") });
  }
  zip.end();
  return new Uint8Array(Buffer.concat(await Array.fromAsync(zip.outputStream)));
}

/** Sends a file to import, without waiting. */
export async function sendFile(call: Call, format: string, sample: Sample, query = "") {
  return await call("POST", `/v1/imports/${format}${query}`, await fileRequest(sample));
}

/** Imports a file and returns the operation's result. */
export async function importFile(call: Call, format: string, sample: Sample, query = "") {
  const queued = await sendFile(call, format, sample, query);
  strictEqual(queued.status, 202, queued.text);
  const operation = await waitForImport(call, queued.json.id);
  strictEqual(operation.status, "success", JSON.stringify(operation.error));
  return operation.result;
}

/** Waits for an operation to end and returns it. */
export async function waitForImport(call: Call, id: string) {
  const reply = await waitUntil(
    () => call("GET", `/v1/operations/${id}`),
    ({ json }) => ["success", "dead"].includes(json.status),
  );
  return reply.json;
}

/** Returns all of a project's memories with their histories, and its documents with their texts. */
export async function recordsOf(call: Call) {
  const entities = await call("GET", "/v1/entities?limit=100");
  // deno-lint-ignore no-explicit-any -- as for Reply
  const memories = new Map<string, { memory: any; history: any }>();
  for (const { type, id } of entities.json.results) {
    const listed = await allPages(call, `/v1/memories?${type}_id=${encodeURIComponent(id)}`);
    for (const memory of listed) {
      const history = await call("GET", `/v1/memories/${memory.id}/history`);
      memories.set(memory.id, { memory, history: history.json.results });
    }
  }
  const documents = [];
  for (const document of await allPages(call, "/v1/documents")) {
    const content = await call("GET", `/v1/documents/${document.id}/content`);
    documents.push({ ...document, content: content.json.content });
  }
  return { memories: [...memories.values()], documents, entities: entities.json.results };
}

// deno-lint-ignore no-explicit-any -- as for Reply
async function allPages(call: Call, path: string): Promise<any[]> {
  const separator = path.includes("?") ? "&" : "?";
  const results = [];
  for (let cursor: string | null = "";;) {
    const page: { json: { results: unknown[]; next_cursor: string | null } } = await call(
      "GET",
      `${path}${separator}limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    results.push(...page.json.results);
    cursor = page.json.next_cursor;
    if (cursor === null) return results;
  }
}

/** Reads a file as bytes. */
export async function readBytes(path: string): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(createReadStream(path)));
}
