/** Helpers for upload tests: create, send, complete and wait. */

import { strictEqual } from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../src/kernel/hash.ts";
import { MARK_NAME } from "../../src/store/blobs/mark.ts";
import type { Reply, RequestOptions } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Accepts requests. Can be a server in this process or a separate one. */
export interface ApiCaller {
  call(method: string, path: string, options?: RequestOptions): Promise<Reply>;
}

/** A file to upload. */
export interface TestFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Fields for the description. Override the ones derived from the bytes. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly key?: string;
}

/** Returns a text as UTF-8 bytes. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

let keys = 0;

/** Returns a header with a fresh idempotency key. */
export function freshKey(): Record<string, string> {
  return { "idempotency-key": `upload-${++keys}` };
}

/** Returns a text file's description, overridden by `fields`. */
export function description({ bytes, fields = {} }: TestFile): Record<string, unknown> {
  return {
    filename: "notes.txt",
    size_bytes: bytes.length,
    content_type: "text/plain",
    checksum_sha256: sha256(bytes),
    user_id: "ana",
    ...fields,
  };
}

/** Creates an upload. Returns `{source_asset, upload, operation}`. */
export async function announce(server: ApiCaller, file: TestFile) {
  const reply = await server.call("POST", "/v1/document-uploads", {
    body: description(file),
    headers: freshKey(),
    ...keyOf(file),
  });
  strictEqual(reply.status, 200, reply.text);
  return reply.json;
}

/** Sends bytes. Defaults to the file's. */
export function put(
  server: ApiCaller,
  id: string,
  file: TestFile,
  bytes: BodyInit = file.bytes,
): Promise<Reply> {
  return server.call("PUT", `/v1/document-uploads/${id}/content`, { raw: bytes, ...keyOf(file) });
}

export function complete(server: ApiCaller, id: string, key?: string): Promise<Reply> {
  return server.call(
    "POST",
    `/v1/document-uploads/${id}/complete`,
    key === undefined ? {} : { key },
  );
}

/** Creates an upload and sends its bytes. Returns the upload id and the operation id. */
export async function uploadFile(server: ApiCaller, file: TestFile) {
  const { source_asset } = await announce(server, file);
  const sent = await put(server, source_asset.id, file);
  strictEqual(sent.status, 204, sent.text);
  return { id: source_asset.id as string, operation: source_asset.operation_id as string };
}

/** Uploads a file and waits for its operation to end. */
export async function extractFile(server: ApiCaller, file: TestFile) {
  const { id, operation } = await uploadFile(server, file);
  const accepted = await complete(server, id, file.key);
  strictEqual(accepted.status, 202, accepted.text);
  return { id, operation: await waitForOperation(server, operation, file.key) };
}

/** Waits until an operation has ended or is waiting for its next attempt. */
export async function waitForOperation(server: ApiCaller, operation: string, key?: string) {
  const reply = await waitUntil(
    () => server.call("GET", `/v1/operations/${operation}`, key === undefined ? {} : { key }),
    ({ json }) => ["success", "dead", "retry"].includes(json.status),
  );
  return reply.json;
}

/** Returns an upload's current state. */
export async function getAsset(server: ApiCaller, id: string, key?: string) {
  const path = `/v1/document-uploads/${id}`;
  const reply = await server.call("GET", path, key === undefined ? {} : { key });
  strictEqual(reply.status, 200, reply.text);
  return reply.json.source_asset;
}

/**
 * Returns the files in a data directory that aren't part of the database, and not the mark of a
 * shared folder.
 */
export function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(blobs|extraction)/.test(name) && basename(name) !== MARK_NAME &&
    statSync(join(directory, name)).isFile()
  );
}

function keyOf({ key }: TestFile): { key?: string } {
  return key === undefined ? {} : { key };
}
