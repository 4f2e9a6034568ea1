/**
 * Checks that code whose results are stored has a new version if it changed.
 *
 * - `--raise` raises the versions of code that changed
 * - `--same` records that its results are the same
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stop } from "esbuild";
import { type Action, compareVersions, VERSIONED_CODE } from "./versions.ts";

const ROOT = join(import.meta.dirname!, "../..");
const RECORDED = join(import.meta.dirname!, "recorded.json");

const ACTIONS: Readonly<Record<string, Action>> = { "--raise": "raise", "--same": "same" };

const action = Deno.args.length === 0 ? "report" : ACTIONS[Deno.args.join(" ")];
const problems: string[] = [];
if (action === undefined) problems.push("Expected --raise, --same or nothing");
else {
  const recorded = JSON.parse(readFileSync(RECORDED, "utf8"));
  const report = await compareVersions(ROOT, VERSIONED_CODE, recorded, action).finally(stop);
  problems.push(...report.problems);
  if (action !== "report") {
    writeFileSync(RECORDED, `${JSON.stringify(report.versions, null, 2)}\n`);
  }
}
for (const problem of problems) Deno.stderr.writeSync(new TextEncoder().encode(problem + "\n"));
if (problems.length > 0) Deno.exit(1);
