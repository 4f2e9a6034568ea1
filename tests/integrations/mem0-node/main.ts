/**
 * Makes every call of mem0's JavaScript client through the mem0-compatible API. Also runs the
 * program of docs/mem0.md.
 */

import { strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedProgram, installPackages, run, runProgram, withMem0Server } from "../mem0.ts";

const HERE = import.meta.dirname!;

const folder = await installPackages(HERE, "mem0-node");
await withMem0Server(async (environment) => {
  const documented = join(folder, "documented.mjs");
  writeFileSync(documented, documentedProgram("import {", environment));
  strictEqual(await run("node", [documented], folder, environment), "I live in Lisbon.\n");
  await runProgram(["node"], join(HERE, "programs/every_call.mjs"), folder, environment);
});
