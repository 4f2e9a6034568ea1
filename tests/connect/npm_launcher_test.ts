/** Tests the launcher of the npm package, with a program in place of Deno. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { requireTool, testWith } from "../../testing/tools.ts";

const LAUNCHER = new URL("../../scripts/package/npm/commonplace.cjs", import.meta.url);

/**
 * Installs the launcher with a runtime. By default, it prints which Node it would write into an
 * entry.
 */
function installLauncher(folder: string, script = 'echo "$COMMONPLACE_RUNTIME"'): string {
  const runtime = join(folder, "runtime");
  writeFileSync(runtime, `#!/bin/sh\n${script}\n`);
  chmodSync(runtime, 0o755);
  const deno = join(folder, "node_modules/deno");
  mkdirSync(deno, { recursive: true });
  const installApi = `exports.runInstall = () => ${JSON.stringify(runtime)};`;
  writeFileSync(join(deno, "install_api.cjs"), installApi);
  const launcher = join(folder, "commonplace.cjs");
  writeFileSync(launcher, readFileSync(LAUNCHER));
  return launcher;
}

testWith(
  ["node"],
  "entries refer to Node by a path that stays after an upgrade of Node",
  async () => {
    const folder = makeTempDirSync();
    try {
      const launcher = installLauncher(folder);
      const node = realpathSync(requireTool("node"));
      const [other, linked] = [join(folder, "other"), join(folder, "linked")];
      for (const path of [other, linked]) mkdirSync(path);
      symlinkSync(launcher, join(other, "node"));
      symlinkSync(node, join(linked, "node"));
      const runtimeWith = async (...path: readonly string[]) => {
        const { stdout } = await new Deno.Command(node, {
          args: [launcher, "connect"],
          env: { PATH: path.join(delimiter), COMMONPLACE_DATA: folder },
        }).output();
        return new TextDecoder().decode(stdout).trim();
      };
      deepStrictEqual(
        [await runtimeWith(other, linked), await runtimeWith(other), await runtimeWith("")],
        [join(linked, "node"), node, node],
      );
    } finally {
      await rm(folder);
    }
  },
);

testWith(
  ["node"],
  "the launcher exits with 128 and the number of the signal that ended the program",
  async () => {
    const folder = makeTempDirSync();
    try {
      writeFileSync(join(folder, "old.cjs"), "process.execve = undefined;");
      for (const [signal, expected] of [["INT", 130], ["PIPE", 141], ["TERM", 143]] as const) {
        const { code } = await new Deno.Command(requireTool("node"), {
          args: [installLauncher(folder, `kill -${signal} $$`), "version"],
          // Without `execve`, as before Node 22.15.
          env: { NODE_OPTIONS: `--require=${join(folder, "old.cjs")}`, COMMONPLACE_DATA: folder },
        }).output();
        strictEqual(code, expected);
      }
    } finally {
      await rm(folder);
    }
  },
);
