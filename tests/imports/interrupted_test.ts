/** `commonplace import` that a signal ends. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { untilInterrupted } from "../../testing/interruption.ts";
import { run, sendSignal, spawn } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Number of memories to import. The first ones are stored long before the last ones. */
const MEMORIES = 10_000;

Deno.test("commonplace import that a signal ends exits with 130 and says what happens to the import", () =>
  untilInterrupted(async () => {
    const directory = makeTempDirSync();
    try {
      const file = join(directory, "notes.jsonl");
      const folder = join(directory, "data");
      const data = ["--data", folder];
      const options = { environment: { COMMONPLACE_DATABASE_URL: "" } };
      const lines = Array.from(
        { length: MEMORIES },
        (_, n) => JSON.stringify({ memory: `Bread number ${n}`, user_id: "ana" }),
      );
      writeFileSync(file, lines.join("\n"));
      strictEqual((await run(["projects", "create", "default", ...data], options)).code, 0);
      using db = new DatabaseSync(join(folder, "commonplace.db"), { readOnly: true });
      const first = db.prepare("select 1 from memories limit 1");
      const child = spawn(["import", "--from", "jsonl", file, ...data], options);
      await waitUntil(() => Promise.resolve(first.get()), (row) => row !== undefined);
      sendSignal(child, "SIGINT");
      const [{ code }, stdout, stderr] = await Promise.all([
        child.status,
        child.stdout.text(),
        child.stderr.text(),
      ]);
      const { stored } = db.prepare("select count(*) as stored from memories").get()!;
      if (stored === MEMORIES) return false;
      const message = "commonplace: Interrupted; the import continues as soon as a server runs\n";
      deepStrictEqual([code, stdout, stderr], [130, "", message]);
      return true;
    } finally {
      await rm(directory);
    }
  }));
