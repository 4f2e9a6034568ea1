/** How long the files of exports and imports are kept. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import sql from "sql-template-tag";
import { LIMITS } from "../../src/kernel/limits.ts";
import { isBlobName } from "../../src/store/blobs/blobs.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { runMaintenance } from "../../testing/maintenance.ts";
import { exportFile } from "../exports/exports.ts";
import { exportSnapshot } from "../snapshots/snapshots.ts";
import { sendFile, waitForImport } from "./imports.ts";

/** Sets when the tasks of one kind were queued and ended. */
async function age(server: TestServer, kind: string, days: number): Promise<void> {
  const at = new Date(performance.timeOrigin + performance.now() - days * 86_400_000).toISOString();
  await server.records(
    sql`update tasks set created_at = ${at}, completed_at = ${at} where kind = ${kind}`,
  );
}

function blobsIn({ directory }: TestServer): string[] {
  return readdirSync(join(directory, "blobs"), { recursive: true, encoding: "utf8" })
    .filter((name) => isBlobName(basename(name)));
}

Deno.test("Maintenance deletes the archive of an export after its days, and the operation stays", async () => {
  await withServer(async (server) => {
    const { call } = server;
    await server.add("Ana keeps bees");
    await exportFile(server, "jsonl");
    const { json: { results: [operation] } } = await call("GET", "/v1/operations?kind=export_file");
    await age(server, "export_file", LIMITS.exportFileDays - 1);
    strictEqual((await runMaintenance(server)).exported_files, 0);
    strictEqual(blobsIn(server).length, 1);

    await age(server, "export_file", LIMITS.exportFileDays + 1);
    strictEqual((await runMaintenance(server)).exported_files, 1);
    deepStrictEqual(blobsIn(server), []);
    const { json } = await call("GET", `/v1/operations/${operation.id}`);
    deepStrictEqual([json.status, json.result], ["success", operation.result]);
    const gone = await call("GET", `/v1/operations/${operation.id}/file`);
    deepStrictEqual([gone.status, gone.json.code], [404, "OPERATION_FILE_NOT_FOUND"]);
    match(gone.json.message, /has no file; it was deleted after 7 days/);
    strictEqual((await runMaintenance(server)).exported_files, 0);
  });
});

Deno.test("Maintenance deletes the snapshot of an export after its days, and the operation stays", async () => {
  await withServer(async (server) => {
    const { call } = server;
    await server.add("Ana keeps bees");
    const { id, snapshot } = await exportSnapshot(call);
    await age(server, "export", LIMITS.exportFileDays - 1);
    strictEqual((await runMaintenance(server)).exported_snapshots, 0);
    strictEqual(blobsIn(server).length, 1);

    await age(server, "export", LIMITS.exportFileDays + 1);
    strictEqual((await runMaintenance(server)).exported_snapshots, 1);
    deepStrictEqual(blobsIn(server), []);
    const { status, json } = await call("GET", `/v1/operations/${id}`);
    deepStrictEqual([status, json.status], [200, "success"]);
    deepStrictEqual([json.result.counts, json.result.records], [snapshot.counts, undefined]);
  });
});

Deno.test("Maintenance deletes the file of a failed import after its days, and cancels the import", async () => {
  await withServer(async (server) => {
    const { call } = server;
    const { json: { id } } = await sendFile(
      call,
      "jsonl",
      '{"content": "Ana keeps bees"}',
      "?user_id=ana",
    );
    await waitForImport(call, id);
    // As after a last attempt that failed, with the file still there.
    const other = await sendFile(call, "jsonl", '{"content": "Ana sails"}', "?user_id=ana");
    await waitForImport(call, other.json.id);
    await server.records(sql`update tasks set status = 'dead' where kind = 'import_file'`);
    const hash = "ab".padEnd(64, "0");
    await server.records(sql`insert into blob_names (project, owner, hash, size)
      select project, id, ${hash}, 1 from tasks where id = ${id as string}`);
    await age(server, "import_file", LIMITS.failedImportDays - 1);
    strictEqual((await runMaintenance(server)).failed_imports, 0);

    await age(server, "import_file", LIMITS.failedImportDays + 1);
    strictEqual((await runMaintenance(server)).failed_imports, 1);
    const { json } = await call("GET", `/v1/operations/${id}`);
    strictEqual(json.status, "cancelled");
    const retried = await call("POST", `/v1/operations/${id}/retry`);
    deepStrictEqual(retried.json.code, "OPERATION_NOT_RETRYABLE");
  });
});
