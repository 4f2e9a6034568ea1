/** Helpers for export tests: export a project, and compare what it holds. */

import { strictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { recordsOf, waitForImport } from "../imports/imports.ts";
import { freshKey } from "../snapshots/snapshots.ts";

/** Exports a project and downloads the archive. */
export async function exportFile(
  { call, url, key }: TestServer,
  format: string,
): Promise<Uint8Array> {
  const queued = await call("POST", `/v1/exports/${format}`, { headers: freshKey() });
  strictEqual(queued.status, 202, queued.text);
  const operation = await waitForImport(call, queued.json.id);
  strictEqual(operation.status, "success", JSON.stringify(operation.error));
  const response = await fetch(`${url}/v1/operations/${operation.id}/file`, {
    headers: { authorization: `Bearer ${key}` },
  });
  strictEqual(response.headers.get("content-type"), "application/octet-stream");
  const bytes = new Uint8Array(await response.arrayBuffer());
  strictEqual(Number(response.headers.get("content-length")), bytes.length);
  return bytes;
}

/** Returns memories and documents without their histories and version ids. */
export async function currentRecords(call: TestServer["call"]) {
  const { memories, documents } = await recordsOf(call);
  const current = memories.map(({ memory }) => memory);
  return {
    memories: current.sort((a, b) => a.id < b.id ? -1 : 1),
    documents: documents.map(({ id: _, ...document }) => document),
  };
}
