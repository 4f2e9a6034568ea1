/** Runs the command line as a process and tests help and single-line errors. */

import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { testSqlite } from "../../testing/engine.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("config prints the settings from the environment without secrets", async () => {
  const environment = { COMMONPLACE_API_KEY: "cpl_a-secret-of-the-owner", COMMONPLACE_HOST: "::1" };
  const table = await run(["config"], { environment });
  strictEqual(table.code, 0, table.stderr);
  match(table.stdout, /^name +value +source\n/);
  match(table.stdout, /^host +::1 +environment$/m);
  doesNotMatch(table.stdout, /a-secret-of-the-owner/);
});

testSqlite("config shows the settings even if the database can't be read", async () => {
  const directory = makeTempDirSync();
  try {
    writeFileSync(databasePath(directory), "Not a database. ".repeat(1_000));
    const environment = { COMMONPLACE_EMBEDDER: "", COMMONPLACE_PORT: "8499" };
    const config = (...flags: string[]) =>
      run(["config", "--data", directory, ...flags], { environment });
    const table = await config();
    strictEqual(table.code, 0, table.stderr);
    match(table.stdout, /^The stored embedder can't be read: [^\n]+\nname +value +source\n/);
    match(table.stdout, /^port +8499 +environment$/m);
    const json = await config("--json");
    strictEqual(json.code, 0, json.stderr);
    const port = JSON.parse(json.stdout).find(({ name }: { name: string }) => name === "port");
    deepStrictEqual(port, { name: "port", value: "8499", source: "environment" });
  } finally {
    await rm(directory);
  }
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
