/** Tests commands whose output can't be written, e.g. because its reader has read enough. */

import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { OutputClosedError, writeOutput } from "../../src/cli/terminal.ts";
import { withServer } from "../../testing/harness.ts";
import { run, spawn } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Runs a command whose standard output no one reads. */
async function runUnread(args: readonly string[]) {
  const child = spawn(args);
  await child.stdout.cancel();
  const [{ code }, stderr] = await Promise.all([child.status, child.stderr.text()]);
  return { code, stderr };
}

Deno.test("commands end silently with 141 if the reader of their output is gone", async (t) => {
  await withServer(async ({ add, directory }) => {
    await add("Rye");
    const data = ["--data", directory];
    const commands = [
      ["version"],
      ["projects", "list", "--json", ...data],
      ["doctor", ...data],
      ["export", "--project", "default", "--output", "-", ...data],
      ["export", "--project", "default", "--output", "-", "--format", "jsonl", ...data],
    ];
    for (const command of commands) {
      await t.step(command.slice(0, 2).join(" "), async () => {
        deepStrictEqual(await runUnread(command), { code: 141, stderr: "" });
      });
    }
  });
});

Deno.test("serve ends with 141 if the reader of its output is gone, and shows its key on standard error", async () => {
  const directory = makeTempDirSync();
  try {
    const args = ["serve", "--data", directory, "--port", "0"];
    const first = await runUnread(args);
    strictEqual(first.code, 141);
    match(first.stderr, /^API key {2}cpl_\S+\nDashboard {2}\S+\n$/);
    deepStrictEqual(await runUnread(args), { code: 141, stderr: "" });
  } finally {
    await rm(directory);
  }
});

Deno.test("a command fails with one line if standard output is a full disk", async () => {
  const prefix = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
  const { code, stderr } = await run(["version"], { prefix });
  strictEqual(code, 1);
  match(stderr, /^commonplace: standard output: No space left on device\n$/);
});

Deno.test("a command that fails keeps its exit code if its error can't be written", async () => {
  const prefix = ["sh", "-c", 'exec "$@" 2> /dev/full', "sh"];
  deepStrictEqual(await run(["nope"], { prefix }), { code: 1, stdout: "", stderr: "" });
});

Deno.test("writeOutput() writes all bytes in as many parts as it takes", () => {
  const parts: number[][] = [];
  let calls = 0;
  writeOutput(Uint8Array.of(1, 2, 3), (bytes) => {
    if (++calls === 2) throw new Deno.errors.WouldBlock("Resource temporarily unavailable");
    parts.push([...bytes]);
    return 1;
  });
  deepStrictEqual(parts, [[1, 2, 3], [2, 3], [3]]);
});

Deno.test("writeOutput() throws an OutputClosedError only for a closed pipe", () => {
  const failing = (error: Error) => () =>
    writeOutput(Uint8Array.of(1), () => {
      throw error;
    });
  throws(failing(new Deno.errors.BrokenPipe("Broken pipe (os error 32)")), OutputClosedError);
  throws(failing(new Error("Input/output error (os error 5)")), {
    message: "standard output: Input/output error",
  });
});
