/** Tests how uploads are removed by maintenance, purges and deletions, and how they're exported. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { type TestServer, withServer } from "../../testing/harness.ts";
import {
  announce,
  bytesOf,
  extractFile,
  freshKey,
  getAsset,
  listFiles,
  uploadFile,
  waitForOperation,
} from "./files.ts";
import { runMaintenance } from "../../testing/maintenance.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const HOUR_MS = 60 * 60_000;

/** Sets when an upload was last updated. */
async function age(server: TestServer, id: string, milliseconds: number): Promise<void> {
  const at = new Date(performance.timeOrigin + performance.now() - milliseconds).toISOString();
  await server.records(sql`update source_assets set updated_at = ${at} where id = ${id}`);
}

Deno.test("Maintenance removes uploads that have been incomplete for a day or failed for a month", async () => {
  await withServer(async (server) => {
    const file = (text: string) => ({ bytes: bytesOf(text) });
    const pdf = (text: string) => ({
      ...file(`%PDF-1.4 ${text}`),
      fields: { content_type: "application/pdf" },
    });
    const created = async (text: string) => {
      const { source_asset } = await announce(server, file(text));
      return { id: source_asset.id, operation: source_asset.operation_id };
    };
    const failed = async (text: string) => {
      const { id, operation } = await extractFile(server, pdf(text));
      return { id, operation: operation.id };
    };
    const old = {
      created: await created("old"),
      uploaded: await uploadFile(server, file("old too")),
      failed: await failed("old"),
    };
    const young = {
      created: await created("young"),
      uploaded: await uploadFile(server, file("young too")),
      failed: await failed("young"),
    };
    const ready = await extractFile(server, file("Kept for as long as its document"));
    for (const { id } of [old.created, old.uploaded]) await age(server, id, 25 * HOUR_MS);
    for (const { id } of [young.created, young.uploaded]) await age(server, id, 23 * HOUR_MS);
    await age(server, old.failed.id, 31 * 24 * HOUR_MS);
    await age(server, young.failed.id, 29 * 24 * HOUR_MS);
    await age(server, ready.id, 400 * 24 * HOUR_MS);
    for (const name of ["asset_unknown", young.failed.id]) {
      mkdirSync(join(server.directory, "extraction", name), { recursive: true });
      writeFileSync(join(server.directory, "extraction", name, "page"), "x");
    }

    const result = await runMaintenance(server);
    deepStrictEqual(
      [result["stale_uploads"], result["failed_uploads"], result["extraction_folders"]],
      [2, 1, 1],
    );
    for (const { id, operation } of Object.values(old)) {
      strictEqual((await server.call("GET", `/v1/document-uploads/${id}`)).status, 404);
      const { json } = await server.call("GET", `/v1/operations/${operation}`);
      strictEqual(json.status, "cancelled");
    }
    for (const { id } of [...Object.values(young), ready]) await getAsset(server, id);
    deepStrictEqual(readdirSync(join(server.directory, "extraction")), [young.failed.id]);
    // What's left are the bytes of recent uploads, plus the document's original and Markdown.
    strictEqual(listFiles(server.directory).filter((name) => name.startsWith("blobs")).length, 4);
  });
});

Deno.test("A file that can't be deleted stops neither deletions nor the collection of documents", async () => {
  await withServer(async (server) => {
    const blobs = () => listFiles(server.directory).filter((name) => name.startsWith("blobs"));
    const stuck = await uploadFile(server, { bytes: bytesOf("Stuck") });
    const path = join(server.directory, blobs()[0]!);
    rmSync(path);
    mkdirSync(join(path, "full"), { recursive: true });
    const other = await uploadFile(server, { bytes: bytesOf("Other") });
    const last = await uploadFile(server, { bytes: bytesOf("Last") });
    const { id } = await extractFile(server, { bytes: bytesOf("Of a document") });
    const { document_id } = await getAsset(server, id);
    const remove = async (path: string) => (await server.call("DELETE", path)).status;
    strictEqual(await remove(`/v1/document-uploads/${stuck.id}`), 204);
    strictEqual(await remove(`/v1/document-uploads/${other.id}`), 204);
    strictEqual(await remove(`/v1/documents/${document_id}`), 200);
    strictEqual(blobs().length, 1);
    const count = sql`select (select count(*) from chunks) as chunks,
      (select count(*) from upload_leftovers) as leftovers`;
    deepStrictEqual(await server.records(count), [{ chunks: 0, leftovers: 1 }]);
    rmSync(path, { recursive: true });
    strictEqual(await remove(`/v1/document-uploads/${last.id}`), 204);
    deepStrictEqual(await server.records(count), [{ chunks: 0, leftovers: 0 }]);
    deepStrictEqual(blobs(), []);
  });
});

Deno.test("projects delete leaves no upload, no artifact and no folder behind", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("doomed");
    await extractFile(server, { bytes: bytesOf("Of the doomed project"), key });
    const waiting = await uploadFile(server, { bytes: bytesOf("Waits in vain"), key });
    await announce(server, { bytes: bytesOf("Never sent"), key });
    mkdirSync(join(server.directory, "extraction", waiting.id), { recursive: true });
    await server.manage("projects", "delete", "doomed", "--yes");
    const countRows = async () => {
      const [row] = await server.records<Record<string, number>>(sql`select
        (select count(*) from source_assets) as assets,
        (select count(*) from upload_leftovers) as leftovers,
        (select count(*) from blob_names) as names,
        (select count(*) from projects) as projects`);
      return ["assets", "leftovers", "names", "projects"].map((name) => row![name]);
    };
    const counts = await waitUntil(countRows, (counts) => counts[3] === 1);
    deepStrictEqual(counts, [0, 0, 0, 1], "the row of the project is deleted last");
    deepStrictEqual(listFiles(server.directory), []);
    deepStrictEqual(readdirSync(join(server.directory, "extraction")), []);
  });
});

Deno.test("POST /v1/imports restores an upload with its document and operation, but without its bytes", async () => {
  await withServer(async (first) => {
    const file = { bytes: bytesOf("The tide table of 1844"), fields: { metadata: { year: 1844 } } };
    const { id } = await extractFile(first, file);
    await uploadFile(first, { bytes: bytesOf("Not a document yet") });
    const before = await getAsset(first, id);
    const operation = `/v1/operations/${before.operation_id}`;
    const snapshot = await exportSnapshot(first);
    deepStrictEqual(snapshot.counts.source_assets, 1);
    strictEqual(snapshot.records.source_assets[0].checksum_sha256, before.checksum_sha256);
    deepStrictEqual(snapshot.records.associations, [{
      kind: "document_from_asset",
      from_id: before.document_id,
      to_id: id,
      messages: null,
    }]);
    await withServer(async (second) => {
      const queued = await second.call("POST", "/v1/imports", {
        body: { snapshot },
        headers: freshKey(),
      });
      strictEqual((await waitForOperation(second, queued.json.id)).status, "success");
      deepStrictEqual(await getAsset(second, id), before);
      deepStrictEqual(
        (await second.call("GET", operation)).json,
        (await first.call("GET", operation)).json,
      );
      const retried = await second.call("POST", `${operation}/retry`);
      strictEqual(retried.json.code, "OPERATION_NOT_RETRYABLE");
      deepStrictEqual((await exportSnapshot(second)).checksum, snapshot.checksum);
      const repeated = await second.call("POST", "/v1/imports", {
        body: { snapshot },
        headers: freshKey(),
      });
      strictEqual(repeated.json.code, "IMPORT_TARGET_NOT_EMPTY");
      const deleted = await second.call("DELETE", `/v1/documents/${before.document_id}`);
      strictEqual(deleted.status, 200);
      strictEqual((await second.call("GET", `/v1/document-uploads/${id}`)).status, 404);
    });
  });
});

async function exportSnapshot(server: TestServer) {
  const queued = await server.call("POST", "/v1/exports", { headers: freshKey() });
  return (await waitForOperation(server, queued.json.id)).result;
}
