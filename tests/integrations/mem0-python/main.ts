/**
 * Makes every call of mem0's Python clients, sync and async, through the mem0-compatible API. Also
 * runs the program of docs/mem0.md.
 */

import { strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { pythonEnvironment } from "../../../testing/python.ts";
import { documentedProgram, reportOutput, withMem0Server } from "../mem0.ts";

const HERE = import.meta.dirname!;

const python = await pythonEnvironment("mem0-python", join(HERE, "requirements.txt"));
await withMem0Server(async (env) => {
  const documented = documentedProgram("python", env);
  strictEqual(await python.check("python", ["-c", documented], { env }), "I live in Lisbon.\n");
  reportOutput(await python.check("python", [join(HERE, "programs/every_call.py")], { env }));
});
