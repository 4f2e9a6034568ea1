/** An import of any format that is killed in the middle equals one that isn't. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { IMPORT_FORMATS } from "../../src/imports/formats/all.ts";
import { queryRecords } from "../../testing/engine.ts";
import { untilInterrupted } from "../../testing/interruption.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { sendFile, waitForImport } from "./imports.ts";
import { LARGE_SAMPLES } from "./large_samples.ts";

Deno.test("every format has a large sample", () => {
  deepStrictEqual(
    Object.keys(LARGE_SAMPLES).sort(),
    IMPORT_FORMATS.map(({ name }) => name).sort(),
  );
});

for (const [format, sample] of Object.entries(LARGE_SAMPLES)) {
  Deno.test(`POST /v1/imports/${format} killed in the middle equals one import`, () =>
    untilInterrupted(async () => {
      const directory = makeTempDirSync();
      let server = await ServerProcess.start(directory);
      try {
        const file = sample();
        const query = "?user_id=ana";
        const dry = await sendFile(server.call, format, file, `${query}&dry_run=true`);
        strictEqual(dry.json.set_aside.count, 0, dry.text);
        const queued = await sendFile(server.call, format, file, query);
        strictEqual(queued.status, 202, queued.text);
        const { id } = queued.json;
        await waitUntil(
          async () => (await server.call("GET", `/v1/operations/${id}`)).json,
          ({ status, progress }) => status === "success" || (progress?.done ?? 0) > 0,
        );
        await server.kill();
        server = await ServerProcess.start(directory);
        const { status, attempts, result } = await waitForImport(server.call, id);
        strictEqual(status, "success");
        deepStrictEqual(result, dry.json, "what the import did is what it would have done at once");
        await server.stop();
        const [memories, documents] = [result.memories.added, result.documents.added];
        deepStrictEqual(await countRecords(directory), {
          memories,
          documents,
          versions: documents,
          history: memories,
          journal: memories + documents,
        });
        return attempts === 2;
      } finally {
        await server.kill();
        await rm(directory);
      }
    }));
}

/** Counts the records and what is written along with them. */
async function countRecords(directory: string) {
  const [counts] = await queryRecords<Record<string, number>>(
    directory,
    sql`select
      (select count(*) from memories) as memories,
      (select count(*) from document_versions where is_head = 1) as documents,
      (select count(*) from document_versions) as versions,
      (select count(*) from memory_history) as history,
      (select count(*) from journal where change = 'ADD') as journal`,
  );
  return counts!;
}
