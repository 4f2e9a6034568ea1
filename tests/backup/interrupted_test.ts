/** Tests copies of a data directory that a signal ends, and what it left of an earlier one. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { run, spawn } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** The records are in the folder, with any engine. */
const SQLITE = { environment: { COMMONPLACE_DATABASE_URL: "" } };

/** Creates a data directory of which a copy never ends: one of its files is a pipe. */
async function createEndless(data: string): Promise<{ readonly folder: string }> {
  const made = await run(["projects", "create", "notes", "--data", data], SQLITE);
  strictEqual(made.code, 0, made.stderr);
  const hash = sha256("endless");
  const folder = join("blobs", hash.slice(0, 2));
  mkdirSync(join(data, folder), { recursive: true });
  execFileSync("mkfifo", [join(data, folder, hash)]);
  const db = new DatabaseSync(join(data, "commonplace.db"));
  db.exec(`insert into blob_names values (1, 'task_x', '${hash}', 1)`);
  db.close();
  return { folder };
}

Deno.test("backup, restore and copy that a signal ends leave nothing", async (t) => {
  const directory = makeTempDirSync();
  try {
    const [data, target] = [join(directory, "data"), join(directory, "target")];
    const { folder } = await createEndless(data);
    const commands: [string[], string, Deno.Signal, number][] = [
      [["backup", target, "--data", data], folder, "SIGINT", 130],
      [["restore", data, "--data", target], folder, "SIGTERM", 143],
      [["copy", "--from", data, "--to", target], "commonplace.db", "SIGINT", 130],
    ];
    for (const [words, copied, signal, code] of commands) {
      await t.step(words[0]!, async () => {
        const child = spawn(words, SQLITE);
        const path = join(`${target}.partial`, copied);
        await waitUntil(() => Promise.resolve(existsSync(path)), (exists) => exists);
        child.kill(signal);
        const [{ code: ended }, stdout, stderr] = await Promise.all([
          child.status,
          child.stdout.text(),
          child.stderr.text(),
        ]);
        deepStrictEqual([ended, stdout, stderr], [code, "", ""]);
        deepStrictEqual(readdirSync(directory), ["data"]);
      });
    }
  } finally {
    await rm(directory);
  }
});

Deno.test("copyDataDirectory() deletes what an unfinished copy left, but no other folder of that name", async () => {
  const directory = makeTempDirSync();
  try {
    const [data, target] = [join(directory, "data"), join(directory, "target")];
    strictEqual((await run(["projects", "create", "notes", "--data", data], SQLITE)).code, 0);
    mkdirSync(`${target}.partial`);
    writeFileSync(join(`${target}.partial`, "photo"), "");
    await rejects(copyDataDirectory(data, target), {
      message: `"${target}.partial" is in the way; specify another directory`,
    });
    deepStrictEqual(readdirSync(`${target}.partial`), ["photo"]);
    rmSync(join(`${target}.partial`, "photo"));
    mkdirSync(join(`${target}.partial`, "blobs", "unfinished"), { recursive: true });
    await copyDataDirectory(data, target);
    deepStrictEqual(readdirSync(directory).sort(), ["data", "target"]);
  } finally {
    await rm(directory);
  }
});

Deno.test("copyDataDirectory() doesn't take its source for an unfinished copy", async () => {
  const directory = makeTempDirSync();
  try {
    const target = join(directory, "target");
    const source = `${target}.partial`;
    strictEqual((await run(["projects", "create", "notes", "--data", source], SQLITE)).code, 0);
    await rejects(copyDataDirectory(source, target), {
      message: `"${source}" is in the way; specify another directory`,
    });
    strictEqual(readdirSync(source).includes("commonplace.db"), true);
  } finally {
    await rm(directory);
  }
});
