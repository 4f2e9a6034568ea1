/** An import that is killed continues where it stopped. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { queryRecords } from "../../testing/engine.ts";
import { untilInterrupted } from "../../testing/interruption.ts";
import { run, sendSignal, spawn } from "../../testing/program.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { fileRequest, waitForImport } from "./imports.ts";

const MEMORIES = 4_000;
const DOCUMENTS = 40;

const FILE = [
  ...Array.from({ length: MEMORIES }, (_, n) => ({ id: n, content: `Note ${n} about tea` })),
  ...Array.from({ length: DOCUMENTS }, (_, n) => ({
    kind: "document",
    source_key: `doc-${n}`,
    content: `# Doc ${n}\n\n${"Some words about tea. ".repeat(500)}`,
  })),
].map((record) => JSON.stringify(record)).join("\n");

Deno.test("POST /v1/imports/{format} killed twice in the middle equals one import", () =>
  untilInterrupted(async () => {
    const directory = makeTempDirSync();
    let server = await ServerProcess.start(directory);
    try {
      const queued = await server.call(
        "POST",
        "/v1/imports/jsonl?user_id=ana",
        await fileRequest(FILE),
      );
      strictEqual(queued.status, 202, queued.text);
      const { id } = queued.json;
      let killedAt = 0;
      for (let kills = 0; kills < 2; kills++) {
        const { progress } = await waitUntil(
          async () => (await server.call("GET", `/v1/operations/${id}`)).json,
          ({ status, attempts, progress }) =>
            status === "success" || attempts > kills && (progress?.done ?? 0) > killedAt,
        );
        killedAt = progress?.done;
        await server.kill();
        server = await ServerProcess.start(directory);
      }
      const { status, attempts, result } = await waitForImport(server.call, id);
      strictEqual(status, "success");
      deepStrictEqual(result.memories, { found: MEMORIES, added: MEMORIES, unchanged: 0 });
      deepStrictEqual(result.documents, { found: DOCUMENTS, added: DOCUMENTS, unchanged: 0 });
      await server.stop();
      deepStrictEqual(await countRecords(directory), EXPECTED);
      return attempts === 3;
    } finally {
      await server.kill();
      await rm(directory);
    }
  }));

Deno.test("commonplace import --from killed and repeated equals one import", () =>
  untilInterrupted(async () => {
    const directory = makeTempDirSync();
    try {
      const file = join(directory, "notes.jsonl");
      const data = join(directory, "data");
      writeFileSync(file, FILE);
      await run(["projects", "create", "default", "--data", data]);
      const options = ["--user-id", "ana", "--data", data, "--json"];
      const words = ["import", "--from", "jsonl", file, ...options];
      const killed = spawn(words);
      await waitUntil(() => countRecords(data), ({ memories }) => memories > 0);
      sendSignal(killed, "SIGKILL");
      await killed.output();
      const { memories: written } = await countRecords(data);
      const repeated = await run(words);
      strictEqual(repeated.code, 0, repeated.stderr);
      const { memories } = JSON.parse(repeated.stdout);
      deepStrictEqual(memories, {
        found: MEMORIES,
        added: MEMORIES - written,
        unchanged: written,
      });
      deepStrictEqual(await countRecords(data), EXPECTED);
      const checked = await run(["doctor", "--data", data]);
      strictEqual(checked.code, 0, checked.stdout);
      return written < MEMORIES;
    } finally {
      await rm(directory);
    }
  }));

const EXPECTED = {
  memories: MEMORIES,
  history: MEMORIES,
  journal: MEMORIES + DOCUMENTS,
  counted: MEMORIES,
  documents: DOCUMENTS,
};

/** Counts the records and what is written along with them. */
async function countRecords(directory: string) {
  const [counts] = await queryRecords<typeof EXPECTED>(
    directory,
    sql`select
      (select count(*) from memories) as memories,
      (select count(*) from memory_history) as history,
      (select count(*) from journal where change = 'ADD') as journal,
      (select total_memories from scope_totals where type = 'user' and id = 'ana') as counted,
      (select count(*) from document_versions) as documents`,
  );
  return counts!;
}
