/**
 * Makes every call of mem0's Python clients, sync and async, through the mem0-compatible API. Also
 * runs the programs of docs/mem0.md, and imports what the second one writes.
 */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { TestServer } from "../../../testing/harness.ts";
import { type PythonEnvironment, pythonEnvironment } from "../../../testing/python.ts";
import { documentedProgram, type Mem0Environment, reportOutput, withMem0Server } from "../mem0.ts";

const HERE = import.meta.dirname!;

const python = await pythonEnvironment("mem0-python", join(HERE, "requirements.txt"));
await withMem0Server(async (env, server) => {
  const documented = documentedProgram("from mem0", env);
  strictEqual(await python.check("python", ["-c", documented], { env }), "I live in Lisbon.\n");
  await checkMove(python, env, server);
  reportOutput(await python.check("python", [join(HERE, "programs/every_call.py")], { env }));
});

/** Reads all memories with mem0's client, as the page says, and imports them into a new project. */
async function checkMove(
  python: PythonEnvironment,
  env: Mem0Environment,
  server: TestServer,
): Promise<void> {
  const add = (fields: object) =>
    server.call("POST", "/mem0/v3/memories/add/", {
      body: { infer: false, messages: "Green tea", ...fields },
    });
  await add({ user_id: "ana", app_id: "kitchen", metadata: { cups: 2, categories: ["drinks"] } });
  await add({ agent_id: "cook", run_id: "r1", expiration_date: "2001-02-03" });
  for (let n = 0; n < 3; n++) await add({ user_id: "bo", messages: Array(50).fill(note(n)) });

  const cwd = env["HOME"]!;
  await python.check("python", ["-c", documentedProgram("import json", env)], { env, cwd });
  const key = await server.createKey("moved");
  const file = join(cwd, "memories.json");
  const options = ["--from", "mem0", file, "--project", "moved"];
  await server.manage("import", ...options);
  await server.manage("import", ...options);

  const before = await memoriesOf(server, server.key);
  strictEqual(before.length, 153);
  deepStrictEqual(await memoriesOf(server, key), before);
  reportOutput(`moved ${before.length} memories with get_all and the import\n`);
}

function note(n: number) {
  return { role: "user", content: `Note ${n}` };
}

/** Returns what mem0's clients see of all memories in a project, except for their ids. */
async function memoriesOf(server: TestServer, key: string): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1, count = Infinity; found.length < count; page++) {
    const path = `/mem0/v3/memories/?page=${page}`;
    const { json } = await server.call("POST", path, { key, body: { show_expired: true } });
    count = json.count;
    for (const { id: _, metadata, ...memory } of json.results) {
      const { source: __, ...own } = metadata ?? {};
      found.push(JSON.stringify({ ...memory, metadata: own }));
    }
  }
  return found.toSorted();
}
