/** Importing a folder: a file that can't be read doesn't stop the others. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { closeSync, ftruncateSync, mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { openFolder } from "../../src/imports/pack_folder.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function withProject(
  test: (directory: string, importFrom: (...words: string[]) => ReturnType<typeof run>) => unknown,
): Promise<void> {
  const directory = makeTempDirSync();
  try {
    const flags = ["--data", join(directory, "data")];
    await run(["projects", "create", "default", ...flags]);
    await test(
      directory,
      (...words) => run(["import", "--from", ...words, "--user-id", "ana", ...flags]),
    );
  } finally {
    await rm(directory);
  }
}

Deno.test("commonplace import of a folder sets a file aside that can't be read", async () => {
  await withProject(async (directory, importFrom) => {
    const folder = join(directory, "notes");
    mkdirSync(join(folder, "sub"), { recursive: true });
    writeFileSync(join(folder, "sub", "tea.md"), "# Tea\n\nSteep.");
    // No permission stops the root user, but no name of this file as text leads to it.
    execFileSync("sh", ["-c", `printf x > "$(printf 'bad\\377.md')"`], { cwd: folder });
    for (const dryRun of [["--dry-run"], []]) {
      const { code, stdout, stderr } = await importFrom("markdown", folder, "--json", ...dryRun);
      strictEqual(code, 0, stderr);
      const { documents, set_aside } = JSON.parse(stdout);
      deepStrictEqual(documents, { found: 1, added: 1, unchanged: 0 });
      strictEqual(set_aside.count, 1);
      match(set_aside.first[0].where, /^bad/);
      match(set_aside.first[0].reason, /It can't be read: ENOENT/);
    }
  });
});

Deno.test("openFolder() fails to pack a file that has gone, and can be caught", async () => {
  const folder = makeTempDirSync();
  try {
    writeFileSync(join(folder, "tea.md"), "Steep.");
    const { pack } = await openFolder(folder);
    unlinkSync(join(folder, "tea.md"));
    await rejects(Array.fromAsync(pack()), { code: "ENOENT" });
  } finally {
    await rm(folder);
  }
});

Deno.test("commonplace import refuses a file or folder over the limit before it reads any of it", async () => {
  await withProject(async (directory, importFrom) => {
    const sparse = (name: string, size: number) => {
      const path = join(directory, name);
      const file = openSync(path, "w");
      ftruncateSync(file, size);
      closeSync(file);
      return path;
    };
    const file = await importFrom("jsonl", sparse("big.jsonl", LIMITS.importFileBytes + 1));
    strictEqual(file.code, 1);
    match(file.stderr, /big\.jsonl is larger than 2147483648 bytes; split it/);
    mkdirSync(join(directory, "notes"));
    sparse("notes/video.bin", LIMITS.importArchiveBytes + 1);
    const folder = await importFrom("markdown", join(directory, "notes"));
    strictEqual(folder.code, 1);
    match(folder.stderr, /The folder has more than 4294967296 bytes/);
    ok(!folder.stderr.includes("    at "), "no stack trace");
  });
});
