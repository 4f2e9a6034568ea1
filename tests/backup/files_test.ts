/** Checks which files a backup consists of, and how unusable sources and targets are reported. */

import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { copyDataDirectory } from "../../src/backup/copy.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function inDirectory(work: (directory: string) => Promise<void> | void): Promise<void> {
  const directory = makeTempDirSync();
  try {
    await work(directory);
  } finally {
    await rm(directory);
  }
}

Deno.test("A backup has no write-ahead log, so that reading it needs no permission to write", async () => {
  await inDirectory(async (directory) => {
    const [data, backup] = [join(directory, "data"), join(directory, "backup")];
    const store = new SqliteStore(data);
    await copyDataDirectory(data, backup);
    await store.close();
    const files = ["blobs", "commonplace.db"];
    deepStrictEqual(readdirSync(backup).sort(), files);
    deepStrictEqual(runDoctor(backup).filter(({ ok }) => !ok), []);
    await copyDataDirectory(backup, join(directory, "restored"));
    deepStrictEqual(readdirSync(backup).sort(), files);
    const restored = new SqliteStore(join(directory, "restored"));
    strictEqual(await restored.journalEnd(), 0);
    await restored.close();
  });
});

Deno.test("copyDataDirectory() and runDoctor() say why they can't read a directory", async () => {
  await inDirectory(async (directory) => {
    const loop = join(directory, "loop");
    symlinkSync(loop, loop);
    const isLoop = (error: Error) => {
      match(error.message, /^ELOOP: /);
      return true;
    };
    await rejects(copyDataDirectory(loop, join(directory, "copy")), isLoop);
    throws(() => runDoctor(loop), isLoop);
    deepStrictEqual(readdirSync(directory), ["loop"]);
  });
});

Deno.test("Commands refuse a link to a directory that doesn't exist, e.g. of a disk that isn't mounted", async (t) => {
  await inDirectory(async (directory) => {
    await new SqliteStore(join(directory, "data")).close();
    const link = join(directory, "link");
    symlinkSync(join(directory, "missing"), link);
    for (
      const words of [
        ["serve", "--port", "0", "--data", link],
        ["projects", "create", "shop", "--data", link],
        ["backup", link, "--data", join(directory, "data")],
      ]
    ) {
      await t.step(words[0]!, async () => {
        const ended = await run(words);
        strictEqual(ended.code, 1);
        match(
          ended.stderr,
          /^commonplace: [^\n]*link" is a link to a directory that doesn't exist/,
        );
        match(ended.stderr, /^[^\n]+\n$/);
      });
    }
    deepStrictEqual(readdirSync(directory).sort(), ["data", "link"]);
  });
});
