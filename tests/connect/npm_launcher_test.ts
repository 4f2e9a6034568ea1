/** Tests the launcher of the npm package, with a program in place of Deno. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { ON_TERMINAL } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { requireTool, testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";

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

/** Returns the environment of a Node without `execve`, as before version 22.15. */
function oldNode(folder: string): Record<string, string> {
  const script = join(folder, "old.cjs");
  writeFileSync(script, "process.execve = undefined;");
  return { NODE_OPTIONS: `--require=${script}`, COMMONPLACE_DATA: folder };
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
      for (const [signal, expected] of [["INT", 130], ["PIPE", 141], ["TERM", 143]] as const) {
        const { code } = await new Deno.Command(requireTool("node"), {
          args: [installLauncher(folder, `kill -${signal} $$`), "version"],
          env: oldNode(folder),
        }).output();
        strictEqual(code, expected);
      }
    } finally {
      await rm(folder);
    }
  },
);

testWith(
  ["node", "python3"],
  "Ctrl-C reaches the program once, although the launcher gets it too",
  async () => {
    const folder = makeTempDirSync();
    try {
      const script = `
      trap 'count=$((count + 1))' INT
      trap 'echo "interrupted $count times"; exit' TERM
      echo "launcher $PPID."
      while :; do read line; done`;
      const [program, ...args] = [
        ...ON_TERMINAL,
        ...[requireTool("node"), installLauncher(folder, script), "serve"],
      ];
      const child = new Deno.Command(program!, {
        args,
        env: oldNode(folder),
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      let shown = "";
      const reading = (async () => {
        for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) shown += text;
      })();
      const shows = (pattern: RegExp) =>
        waitUntil(() => Promise.resolve(pattern.exec(shown)), (found) => found !== null);
      const [, launcher] = (await shows(/launcher (\d+)\./))!;
      const keyboard = child.stdin.getWriter();
      await keyboard.write(new TextEncoder().encode("\x03"));
      await shows(/\^C/);
      // The launcher passes signals on in their order.
      Deno.kill(Number(launcher), "SIGTERM");
      await keyboard.close();
      await Promise.all([reading, child.status]);
      match(shown, /interrupted 1 times/);
    } finally {
      await rm(folder);
    }
  },
);
