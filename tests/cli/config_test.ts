/** Runs the command line as a process and tests help and single-line errors. */

import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { run } from "../../testing/program.ts";
import { makeTempDirSync } from "../../testing/temp_dir.ts";

Deno.test("config prints the settings from the environment without secrets", async () => {
  const environment = { COMMONPLACE_API_KEY: "cpl_a-secret-of-the-owner", COMMONPLACE_HOST: "::1" };
  const table = await run(["config"], { environment });
  strictEqual(table.code, 0, table.stderr);
  match(table.stdout, /^name +value +source\n/);
  match(table.stdout, /^host +::1 +environment$/m);
  doesNotMatch(table.stdout, /a-secret-of-the-owner/);
});

Deno.test("unknown commands and flags fail with a single line on standard error", async () => {
  for (const words of [["frobnicate"], ["serve", "--frobnicate"], ["projects"]]) {
    const ended = await run(words, { cwd: makeTempDirSync() });
    strictEqual(ended.code, 1);
    strictEqual(ended.stdout, "");
    match(ended.stderr, /^commonplace: [^\n]+\n$/);
  }
});

Deno.test("help lists every command, and version lists every component", async () => {
  const help = await run(["help"]);
  strictEqual(help.code, 0);
  for (const command of ["serve", "projects", "keys", "dashboard", "config", "version", "help"]) {
    match(help.stdout, new RegExp(`^  ${command} `, "m"));
  }
  const serveHelp = await run(["serve", "--help"]);
  match(serveHelp.stdout, /--port +COMMONPLACE_PORT/);
  strictEqual((await run(["help", "serve"])).stdout, serveHelp.stdout);
  match((await run(["--version"])).stdout, /^name +version/);
  const version = JSON.parse((await run(["version", "--json"])).stdout);
  deepStrictEqual(Object.keys(version), [
    "name",
    "version",
    "schema",
    "deno",
    "sqlite",
    "platform",
  ]);
  strictEqual(version.name, "commonplace");
});
