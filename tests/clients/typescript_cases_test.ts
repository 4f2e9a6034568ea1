/** The TypeScript client passes every case of `clients/cases/cases.json`, on Deno and on Node. */

import { deepStrictEqual } from "node:assert/strict";
import { build, stop } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, runCase } from "../../clients/typescript/case_runner.ts";
import * as library from "../../clients/typescript/src/index.ts";
import { withCasesServer } from "../../testing/client_cases.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";

const CLIENT = new URL("../../clients/typescript", import.meta.url).pathname;

Deno.test("the TypeScript client passes all cases on Deno", async (t) => {
  await withCasesServer(async ({ prepareRun, checkCoverage }) => {
    const run = await prepareRun("deno");
    const { cases } = JSON.parse(readFileSync(run.cases, "utf8")) as { cases: Case[] };
    for (const entry of cases) await t.step(entry.name, () => runCase(library, run, entry));
    await checkCoverage();
  });
});

testWith(["node"], "the TypeScript client passes all cases on Node", async () => {
  const folder = makeTempDirSync();
  try {
    const outfile = join(folder, "runner.mjs");
    await build({
      entryPoints: [join(CLIENT, "case_program.ts")],
      alias: { "@commonplace/client": join(CLIENT, "src/index.ts") },
      bundle: true,
      format: "esm",
      platform: "neutral",
      external: ["node:*"],
      outfile,
    });
    await stop();
    await withCasesServer(async ({ prepareRun }) => {
      const runFile = join(folder, "run.json");
      writeFileSync(runFile, JSON.stringify(await prepareRun("node")));
      const { stdout } = await new Deno.Command("node", {
        args: [outfile, runFile],
        stderr: "inherit",
      }).output();
      const results = JSON.parse(new TextDecoder().decode(stdout)) as { failures: unknown[] };
      deepStrictEqual(results.failures, []);
    });
  } finally {
    await rm(folder);
  }
});
