/** Tests copies of a data directory to a disk that is full. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isolates } from "../../testing/isolation.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test({
  name: "backup, restore and copy report a full disk in one line and leave nothing on it",
  ignore: !isolates("-m"),
  async fn(t) {
    const directory = makeTempDirSync();
    try {
      const [data, disk] = [join(directory, "data"), join(directory, "disk")];
      mkdirSync(disk);
      // The records are in the folder, with any engine.
      const environment = { COMMONPLACE_DATABASE_URL: "" };
      const made = await run(["projects", "create", "notes", "--data", data], { environment });
      strictEqual(made.code, 0, made.stderr);
      const script = `mount -t tmpfs -o size=300k small "$0" || exit 9
        "$@"; code=$?; ls -A "$0"; exit $code`;
      const target = join(disk, "copy");
      const commands: [string[], string][] = [
        [["backup", target, "--data", data], `The disk of "${target}" is full`],
        [["restore", data, "--data", target], `The disk of "${target}" is full`],
        [["copy", "--from", data, "--to", target], "The disk is full; nothing was changed"],
      ];
      for (const [words, message] of commands) {
        await t.step(words[0]!, async () => {
          const prefix = ["unshare", "-rm", "sh", "-c", script, disk];
          const ended = await run(words, { environment, prefix });
          const expected = { code: 1, stdout: "", stderr: `commonplace: ${message}\n` };
          deepStrictEqual(ended, expected);
        });
      }
    } finally {
      await rm(directory);
    }
  },
});
