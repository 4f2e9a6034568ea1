/** Records with extreme values in every field equal the original after an export and import. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { canonicalJson } from "../../src/kernel/hash.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { testWith } from "../../testing/tools.ts";
import { currentRecords, exportFile } from "../exports/exports.ts";
import { importFile, recordsOf } from "../imports/imports.ts";
import { postgres } from "../store/engines.ts";
import { addExtremes } from "./extremes.ts";
import { exportSnapshot, importSnapshot, waitForOperation } from "./snapshots.ts";

let exported: ReturnType<typeof exportExtremes> | undefined;

/** Returns what the API returns for the records, and their exports. Adds them only once. */
function exportedExtremes() {
  return exported ??= exportExtremes();
}

async function exportExtremes() {
  let made: Awaited<ReturnType<typeof allExports>>;
  await withServer(async (server) => {
    await addExtremes(server);
    made = await allExports(server);
  });
  return made!;
}

async function allExports(server: TestServer) {
  return {
    records: await recordsOf(server.call),
    current: await currentRecords(server.call),
    snapshot: (await exportSnapshot(server.call)).snapshot,
    jsonl: await exportFile(server, "jsonl"),
    mem0: await exportFile(server, "mem0"),
  };
}

/** Imports the snapshot, and compares another export of it and what the API returns. */
async function restore({ call }: TestServer): Promise<void> {
  const { snapshot, records } = await exportedExtremes();
  const queued = await importSnapshot(call, snapshot);
  strictEqual(queued.status, 202, queued.text);
  const operation = await waitForOperation(call, queued.json.id);
  strictEqual(operation.status, "success", JSON.stringify(operation.error));
  const again = await exportSnapshot(call);
  for (const [section, list] of Object.entries(snapshot.records)) {
    strictEqual(canonicalJson(again.snapshot.records[section]), canonicalJson(list), section);
  }
  strictEqual(again.snapshot.checksum, snapshot.checksum);
  deepStrictEqual(await recordsOf(call), records);
}

Deno.test("POST /v1/imports restores records with extreme values", async () => {
  await withServer(restore);
});

testWith(
  ["initdb", "setpriv"],
  "POST /v1/imports restores records with extreme values on PostgreSQL",
  async () => {
    await withServer(restore, { database: (await postgres()).newSchema() });
  },
);

Deno.test("POST /v1/imports/jsonl restores memories and documents with extreme values", async () => {
  const { jsonl, current } = await exportedExtremes();
  await withServer(async ({ call }) => {
    const result = await importFile(call, "jsonl", jsonl);
    deepStrictEqual([result.set_aside.count, result.cut], [0, {}]);
    deepStrictEqual(await currentRecords(call), current);
  });
});

Deno.test("POST /v1/imports/mem0 restores memories with extreme values", async () => {
  const { mem0, current } = await exportedExtremes();
  await withServer(async ({ call }) => {
    const result = await importFile(call, "mem0", mem0);
    deepStrictEqual([result.set_aside.count, result.cut], [0, {}]);
    deepStrictEqual((await currentRecords(call)).memories, current.memories);
  });
});
