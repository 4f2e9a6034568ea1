/**
 * Runs all cases on Node, Deno or Bun: `node case_program.js RUN.json`. Prints the failures as JSON
 * and exits with 1 if there are any.
 */

import * as library from "@commonplace/client";
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Case, type Run, runCase } from "./case_runner.ts";

const run = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Run & { cases: string };
const { cases } = JSON.parse(readFileSync(run.cases, "utf8")) as { cases: Case[] };
const failures: { name: string; message: string }[] = [];
const began = performance.now();
for (const entry of cases) {
  try {
    await runCase(library, run, entry);
  } catch (error) {
    failures.push({ name: entry.name, message: (error as Error).message });
  }
}
const seconds = Math.round((performance.now() - began) / 100) / 10;
process.stdout.write(JSON.stringify({ cases: cases.length, failures, seconds }));
process.exit(failures.length > 0 ? 1 : 0);
